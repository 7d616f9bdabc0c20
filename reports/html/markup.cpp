#include "reports/html/markup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include <fmt/core.h>

#include "reports/html/assets.hpp"
#include "reports/html/template.hpp"

namespace vernier {
namespace {

const std::map<std::string, std::string, std::less<>>& glossary() {
  static const auto terms =
      Json::parse(asset("glossary.json")).get<std::map<std::string, std::string, std::less<>>>();
  return terms;
}

constexpr std::array<std::pair<char, std::string_view>, 5> entities{
    {{'&', "&amp;"}, {'<', "&lt;"}, {'"', "&quot;"}, {'>', "&gt;"}, {'\'', "&apos;"}}};

/// With the first so many of these.
std::string with_entities(std::string_view text, std::size_t count) {
  std::string result;
  for (const char c : text) {
    const auto* const end = entities.begin() + count;
    const auto* const entity =
        std::find_if(entities.begin(), end, [c](const auto& e) { return e.first == c; });
    result += entity == end ? std::string_view(&c, 1) : entity->second;
  }
  return result;
}

}  // namespace

std::string as_markup(std::string_view text) {
  return with_entities(text, entities.size());
}

std::optional<std::string_view> definition_of(std::string_view term) {
  const auto found = glossary().find(term);
  return found == glossary().end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::string with_terms(std::string_view html) {
  constexpr std::string_view open = "<dfn>";
  constexpr std::string_view close = "</dfn>";
  std::string result;
  while (true) {
    const auto at = html.find(open);
    result += html.substr(0, at);
    if (at == std::string_view::npos) {
      return result;
    }
    html.remove_prefix(at + open.size());
    const auto term = html.substr(0, html.find(close));
    const auto definition = definition_of(term);
    if (!definition) {
      throw std::logic_error(fmt::format("the glossary has no '{}'", term));
    }
    result += fmt::format(R"(<dfn title="{}">{}</dfn>)", with_entities(*definition, 3), term);
    html.remove_prefix(term.size() + close.size());
  }
}

}  // namespace vernier
