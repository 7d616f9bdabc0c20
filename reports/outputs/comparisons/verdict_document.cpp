#include "reports/outputs/comparisons/verdict_document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <set>

#include <fmt/core.h>

#include "reference/json/json_tree.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_integer = std::numeric_limits<std::int64_t>::max();

/// The value whose name stands under the key. \param values all that there are
template <class Value, std::size_t count>
Value named_value(ObjectReader& reader, std::string_view key, const std::array<Value, count>& values) {
  const auto name = reader.string(key);
  const auto found = std::ranges::find(values, name, [](Value value) { return to_string(value); });
  if (found == values.end()) {
    reader.refuse(key, joined(
                           values, [](Value value) { return to_string(value); }, " or "));
  }
  return *found;
}

/// A number of the key, which has to be there.
double required_figure(const JsonValue& object, ObjectReader& reader, std::string_view key) {
  const auto value = read_figure(object, reader, key);
  if (!value) {
    reader.refuse(key, "a number");
  }
  return *value;
}

void append_counts(ObjectReader& check, CheckRecord& record) {
  auto counts = check.optional_object("counts");
  if (!counts) {
    return;
  }
  record.elements = static_cast<std::uint64_t>(counts->integer("elements", 1, most_integer));
  const auto share = [&](std::string_view key) {
    return static_cast<double>(counts->integer(key, 0, most_integer)) / static_cast<double>(record.elements);
  };
  record.figures.push_back({"the share that fails", share("failing")});
  record.figures.push_back({"the share that is inconclusive", share("inconclusive")});
}

void append_statistics(const JsonValue& check_value, ObjectReader& check, CheckRecord& record) {
  auto statistics = check.optional_object("statistics");
  if (!statistics) {
    return;
  }
  const auto& value = *value_at(check_value, "statistics");
  const auto greatest = [&](std::string_view key, std::string_view of) {
    auto reader = statistics->object(key);
    return required_figure(*value_at(value, key), reader, of);
  };
  record.figures.push_back({"the root mean square error", greatest("absolute", "rms")});
  record.figures.push_back({"the largest absolute error", greatest("absolute", "max")});
  record.figures.push_back({"the most phase roundings", greatest("phase_roundings", "max")});
  // Near the zeros of a sine it says nothing of how good a table is.
  record.figures.push_back(
      {.name = "the largest error in ulp", .value = greatest("ulp", "max"), .decides = false});
  record.figures.push_back({"the share that is correctly rounded",
                            required_figure(value, *statistics, "correctly_rounded_share"), true});
  record.figures.push_back(
      {"the share that is faithful", required_figure(value, *statistics, "faithful_share"), true});
}

CheckRecord read_check_record(const JsonValue& value, const std::string& source, std::size_t index) {
  ObjectReader reader(value, source, fmt::format("checks[{}]", index));
  CheckRecord record{
      .id = reader.string("id"), .status = read_status(reader, "status"), .reason = reader.string("reason")};
  record.budget_ratio = read_figure(value, reader, "greatest_budget_ratio");
  if (record.budget_ratio) {
    record.figures.push_back({budget_figure, *record.budget_ratio});
  }
  append_counts(reader, record);
  append_statistics(value, reader, record);
  return record;
}

/// \throws InputError for a document of another kind or version
void require_verdict(const JsonValue& document, ObjectReader& reader, const std::string& file) {
  if (value_at(document, "vernier_verdict") == nullptr) {
    throw InputError(
        "{}: found no key \"vernier_verdict\", expected a verdict document, as validate --json writes it",
        file);
  }
  const auto version = reader.integer("vernier_verdict", 1, most_integer);
  if (version < oldest_verdict_document_version || version > verdict_document_version) {
    throw InputError("{}: vernier_verdict: found {}, expected {}: {}", file, version,
                     verdict_document_version,
                     version > verdict_document_version ? "a newer vernier wrote it; compare with that one"
                                                        : "an older vernier wrote it; judge once more");
  }
}

void read_coverage(ObjectReader& reader, VerdictDocument& result) {
  auto asking = reader.object("asking");
  std::size_t index = 0;
  for (const auto& value : asking.array("coverage", "a list")) {
    ObjectReader coverage(value, result.file, fmt::format("asking.coverage[{}]", index++));
    const auto roles = coverage.string("roles");
    if (coverage.integer("asked", 0, most_integer) == coverage.integer("of", 0, most_integer)) {
      for (std::size_t at = 0; at < roles.size();) {
        const auto end = std::min(roles.find(", ", at), roles.size());
        result.whole_roles.push_back(roles.substr(at, end - at));
        at = end + 2;
      }
    }
  }
}

void read_contracts(ObjectReader& reader, VerdictDocument& result) {
  std::size_t index = 0;
  for (const auto& value : reader.array("contracts", "a list")) {
    ObjectReader contract(value, result.file, fmt::format("contracts[{}]", index++));
    result.contracts[contract.string("role")] = contract.string("contract");
  }
}

void read_checks(ObjectReader& reader, VerdictDocument& result) {
  std::size_t index = 0;
  std::set<std::string> ids;
  for (const auto& value : reader.array("checks", "a list")) {
    auto record = read_check_record(value, result.file, index);
    if (!ids.insert(record.id).second) {
      throw InputError("{}: checks[{}].id: found {} once more, expected each check once", result.file, index,
                       in_quotes(record.id));
    }
    add_current(result.checks, std::move(record));
    ++index;
  }
}

/// Where two values differ. Null where one of them has nothing.
struct SpecDifference {
  std::string path;
  const JsonValue* one;
  const JsonValue* other;
};

/// The first one, in the order of the keys of the first value, then of the second.
std::optional<SpecDifference> first_spec_difference(const JsonValue* one, const JsonValue* other,
                                                    const std::string& path) {
  if (one == nullptr || other == nullptr) {
    return SpecDifference{path, one, other};
  }
  if (same_value(*one, *other)) {
    return std::nullopt;
  }
  const auto* a = std::get_if<JsonValue::Object>(&one->value());
  const auto* b = std::get_if<JsonValue::Object>(&other->value());
  if (a != nullptr && b != nullptr) {
    for (const auto* object : {a, b}) {
      for (const auto& [key, value] : *object) {
        if (auto found = first_spec_difference(member_of(*a, key), member_of(*b, key), key_path(path, key))) {
          return found;
        }
      }
    }
  }
  return SpecDifference{path, one, other};
}

std::string text_of(const JsonValue* value) {
  return value == nullptr ? "nothing" : short_text(*value);
}

}  // namespace

const CheckRecord* VerdictDocument::check_named(std::string_view id) const {
  const auto found = std::ranges::find(checks, id, &CheckRecord::id);
  return found == checks.end() ? nullptr : &*found;
}

Conclusion read_conclusion(ObjectReader& reader, std::string_view key) {
  return named_value(reader, key,
                     std::array{Conclusion::conforms, Conclusion::does_not_conform, Conclusion::inconclusive,
                                Conclusion::nothing_checked});
}

Status read_status(ObjectReader& reader, std::string_view key) {
  return named_value(reader, key,
                     std::array{Status::pass, Status::fail, Status::waived, Status::inconclusive,
                                Status::skipped, Status::error});
}

int rank_of(Status status) {
  // pass, fail, waived, inconclusive, skipped, error
  static constexpr std::array ranks{4, 0, 3, 2, 5, 1};
  return ranks[static_cast<std::size_t>(status)];
}

std::optional<double> read_figure(const JsonValue& object, ObjectReader& reader, std::string_view key) {
  reader.ignore(key);
  const auto* value = value_at(object, key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (const auto* number = std::get_if<JsonValue::Number>(&value->value())) {
    double result = 0;
    const auto* const end = number->text.data() + number->text.size();
    const auto [rest, error] = std::from_chars(number->text.data(), end, result);
    if (error == std::errc() && rest == end && result >= 0) {
      return result;
    }
  }
  const auto* name = std::get_if<std::string>(&value->value());
  if (name == nullptr || (*name != "nan" && *name != "infinity")) {
    reader.refuse(key, "a number of 0 or more, \"infinity\" or \"nan\"");
  }
  return std::numeric_limits<double>::infinity();
}

VerdictDocument read_verdict_document(const std::string& file) {
  const auto document = read_json(file);
  ObjectReader reader(document, file, "");
  require_verdict(document, reader, file);
  VerdictDocument result{.file = file,
                         .label = std::filesystem::path(file).stem().string(),
                         .name = reader.string("case"),
                         .producer = reader.string("producer"),
                         .tool_version = reader.object("tool").string("version"),
                         .conclusion = read_conclusion(reader, "verdict"),
                         .summary = reader.string("summary")};
  if (reader.has("spec")) {
    reader.object("spec").string("scheme");
    result.spec = *value_at(document, "spec");
  }
  result.rows = reader.integer("rows", 0, most_integer);
  auto positions = reader.object("positions");
  result.least_position = positions.integer("least", -most_integer, most_integer);
  result.greatest_position = positions.integer("greatest", -most_integer, most_integer);
  if (const auto* seed = value_at(document, "seed")) {
    result.seed = short_text(*seed);
  }
  result.stale_waivers = reader.array("stale_waivers", "a list").size();
  read_contracts(reader, result);
  read_coverage(reader, result);
  read_checks(reader, result);
  return result;
}

void require_same_spec(const JsonValue& spec, const std::string& source, const JsonValue& first_spec,
                       const std::string& first_source) {
  if (const auto difference = first_spec_difference(&first_spec, &spec, "spec")) {
    throw InputError(
        "{}: {}: found {}, expected {} as in {}: verdicts on different encodings cannot be compared", source,
        difference->path, text_of(difference->other), text_of(difference->one), first_source);
  }
}

}  // namespace vernier
