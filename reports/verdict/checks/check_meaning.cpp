#include "reports/verdict/checks/check_meaning.hpp"

#include <algorithm>

#include <fmt/args.h>
#include <fmt/core.h>

#include "props/judging/property.hpp"
#include "props/laws/law.hpp"
#include "reference/json/json.hpp"
#include "reference/support/mapped.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/live/live_check.hpp"

namespace vernier {

/// checks.json as it stands.
std::string checks_text();

namespace {

using Meanings = std::vector<CheckMeaning>;

/// \param texts checks.json; the check of a property rests on what that cites
CheckMeaning stored_meaning(const OrderedJson& texts, std::string_view id) {
  const auto& text = texts.at(std::string(id));
  return {std::string(id), text.at("meaning"),
          text.value("source", std::string(property_named("unique")->citation))};
}

/// \param domain of which encodings it is required
std::string property_meaning(const Property& property, std::string_view domain) {
  return fmt::format("{}. {}\n\nHolds for: {}\n\nA counterexample: {}", property.name, property.statement,
                     domain, property.counterexample);
}

void append_properties(Meanings& meanings) {
  for (const auto& property : properties()) {
    if (property.judges_tensors()) {
      meanings.push_back({"property/<scheme>/" + std::string(property.id),
                          property_meaning(property, property.hypotheses), std::string(property.citation)});
    }
  }
}

/// Takes the first part of a path, up to a slash, off its front.
std::string_view take_part(std::string_view& path) {
  const auto slash = std::min(path.find('/'), path.size());
  const auto part = path.substr(0, slash);
  path.remove_prefix(std::min(slash + 1, path.size()));
  return part;
}

/// What a pattern ends with if the rest is the id of a check, with slashes of its own.
constexpr std::string_view any_check = "<check>";

bool matches(std::string_view pattern, std::string_view id) {
  while (!pattern.empty() && !id.empty()) {
    if (pattern == any_check) {
      return true;
    }
    const auto wanted = take_part(pattern);
    if (const auto found = take_part(id); found != wanted && !wanted.starts_with('<')) {
      return false;
    }
  }
  return pattern.empty() && id.empty();
}

/// checks.json, read once.
const OrderedJson& stored_texts() {
  static const auto texts = OrderedJson::parse(checks_text());
  return texts;
}

}  // namespace

std::string check_sentence(std::string_view kind, std::string_view name, const SentenceValues& values) {
  const auto& own = stored_texts().at(std::string(kind));
  const auto& texts = own.contains(name) ? own : stored_texts().at("values/<role>");
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const auto& [placeholder, value] : values) {
    arguments.push_back(fmt::arg(placeholder, value));
  }
  return fmt::vformat(texts.at(std::string(name)).get<std::string>(), arguments);
}

std::string CheckMeaning::rule() const {
  std::string result = id;
  std::erase_if(result, [](char c) { return c == '<' || c == '>'; });
  return result;
}

std::vector<CheckMeaning> check_meanings() {
  const auto& texts = stored_texts();
  auto meanings = mapped(check_kinds, [&](const auto& kind) { return stored_meaning(texts, kind.id); });
  append_properties(meanings);
  for (const auto& law : laws()) {
    meanings.push_back(
        {"law/" + law.id, property_meaning(*law.property, law.domain), std::string(law.property->citation)});
  }
  for (const auto& kind : live_check_kinds()) {
    meanings.push_back({std::string(kind.id), kind.meaning, kind.source});
  }
  meanings.push_back(stored_meaning(texts, "waivers/<check>"));
  return meanings;
}

std::optional<CheckMeaning> check_meaning_of(std::string_view id) {
  auto meanings = check_meanings();
  // Some checks of a family have a meaning of their own.
  auto found = std::ranges::find(meanings, id, &CheckMeaning::id);
  if (found == meanings.end()) {
    found =
        std::ranges::find_if(meanings, [&](const CheckMeaning& meaning) { return matches(meaning.id, id); });
  }
  return found == meanings.end() ? std::nullopt : std::optional(std::move(*found));
}

}  // namespace vernier
