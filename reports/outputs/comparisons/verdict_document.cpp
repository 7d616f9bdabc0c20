#include "reports/outputs/comparisons/verdict_document.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "reference/json/json_tree.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/specs/spec_difference.hpp"

namespace vernier {
namespace {

constexpr std::int64_t most_integer = std::numeric_limits<std::int64_t>::max();

/// The value whose name stands under the key. \param last of its kind
template <class Value>
Value named_value(ObjectReader& reader, std::string_view key, Value last) {
  const auto name = reader.string(key);
  std::vector<std::string> names;
  for (int value = 0; value <= static_cast<int>(last); ++value) {
    names.emplace_back(to_string(static_cast<Value>(value)));
    if (names.back() == name) {
      return static_cast<Value>(value);
    }
  }
  reader.refuse(key, joined(names, " or "));
}

CheckRecord read_check_record(const JsonValue& value, const std::string& source, std::size_t index) {
  ObjectReader reader(value, source, fmt::format("checks[{}]", index));
  CheckRecord record{
      .id = reader.string("id"), .status = read_status(reader, "status"), .reason = reader.string("reason")};
  if (auto counts = reader.optional_object("counts")) {
    record.elements = static_cast<std::uint64_t>(counts->integer("elements", 1, most_integer));
  }
  for (std::size_t i = 0; i < figure_kinds.size(); ++i) {
    auto& figure = record.figures[i] = read_figure(value, reader, figure_kinds[i].path);
    if (figure && figure_kinds[i].path.starts_with("counts.")) {
      *figure /= static_cast<double>(record.elements);
    }
  }
  return record;
}

/// \throws InputError for a document of another kind or version
void require_verdict(const JsonValue& document, ObjectReader& reader, const std::string& file) {
  refuse_if(value_at(document, "vernier_verdict") == nullptr,
            "{}: found no key \"vernier_verdict\", expected a verdict document, as validate --json writes it",
            file);
  const auto version = reader.integer("vernier_verdict", 1, most_integer);
  refuse_if(version < oldest_verdict_document_version || version > verdict_document_version,
            "{}: vernier_verdict: found {}, expected {}: {}", file, version, verdict_document_version,
            version > verdict_document_version ? "a newer vernier wrote it; compare with that one"
                                               : "an older vernier wrote it; judge once more");
}

void read_coverage(ObjectReader& reader, VerdictDocument& result) {
  for (auto& coverage : reader.object("asking").objects("coverage", "a list")) {
    const auto roles = coverage.string("roles");
    if (coverage.integer("asked", 0, most_integer) == coverage.integer("of", 0, most_integer)) {
      result.whole_roles += roles + ", ";
    }
  }
}

void read_checks(ObjectReader& reader, VerdictDocument& result) {
  std::size_t index = 0;
  std::set<std::string> ids;
  for (const auto& value : reader.array("checks", "a list")) {
    auto record = read_check_record(value, result.source, index);
    refuse_if(!ids.insert(record.id).second,
              "{}: checks[{}].id: found {} once more, expected each check once", result.source, index,
              in_quotes(record.id));
    add_current(result.checks, std::move(record));
    ++index;
  }
}

std::string text_of(const OrderedJson& value) {
  return value.is_null() ? "nothing" : short_text(parse_json(value.dump(), ""));
}

}  // namespace

Conclusion read_conclusion(ObjectReader& reader, std::string_view key) {
  return named_value(reader, key, Conclusion::nothing_checked);
}

Status read_status(ObjectReader& reader, std::string_view key) {
  return named_value(reader, key, Status::error);
}

int rank_of(Status status) {
  // pass, fail, waived, inconclusive, skipped, error
  static constexpr std::array ranks{4, 0, 3, 2, 5, 1};
  return ranks[static_cast<std::size_t>(status)];
}

std::optional<double> read_figure(const JsonValue& object, ObjectReader& reader, std::string_view path) {
  reader.ignore(path);
  const auto* value = value_at(object, path);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (const auto* number = std::get_if<JsonValue::Number>(&value->value())) {
    if (const auto result = parsed_number<double>(number->text); result && *result >= 0) {
      return result;
    }
  }
  const auto* name = std::get_if<std::string>(&value->value());
  if (name == nullptr || (*name != "nan" && *name != "infinity")) {
    reader.refuse_within(path, *value, "a number of 0 or more, \"infinity\" or \"nan\"");
  }
  return std::numeric_limits<double>::infinity();
}

VerdictDocument read_verdict_document(const std::string& file) {
  const auto document = read_json(file);
  ObjectReader reader(document, file, "");
  require_verdict(document, reader, file);
  VerdictDocument result{{.source = file,
                          .label = std::filesystem::path(file).stem().string(),
                          .name = reader.string("case"),
                          .producer = reader.string("producer"),
                          .tool_version = reader.object("tool").string("version"),
                          .conclusion = read_conclusion(reader, "verdict")},
                         reader.string("summary")};
  if (reader.has("spec")) {
    reader.object("spec").string("scheme");
    result.spec = OrderedJson::parse(json_text(*value_at(document, "spec")));
  }
  result.rows = reader.integer("rows", 0, most_integer);
  auto positions = reader.object("positions");
  result.least_position = positions.integer("least", -most_integer, most_integer);
  result.greatest_position = positions.integer("greatest", -most_integer, most_integer);
  if (const auto* seed = value_at(document, "seed")) {
    result.seed = short_text(*seed);
  }
  result.stale_waivers = reader.array("stale_waivers", "a list").size();
  for (auto& contract : reader.objects("contracts", "a list")) {
    result.contracts[contract.string("role")] = contract.string("contract");
  }
  read_coverage(reader, result);
  read_checks(reader, result);
  return result;
}

void require_same_spec(const RecordedRun& run, const RecordedRun& first) {
  for (const auto& [key, expected, found] : spec_differences({{"spec", first.spec}}, {{"spec", run.spec}})) {
    throw InputError(
        "{}: {}: found {}, expected {} as in {}: verdicts on different encodings cannot be compared",
        run.source, key, text_of(found), text_of(expected), first.source);
  }
}

void add_current(std::vector<CheckRecord>& checks, CheckRecord check) {
  check.id = current_check(check.id);
  const auto same = std::ranges::find(checks, check.id, &CheckRecord::id);
  if (same == checks.end()) {
    checks.push_back(std::move(check));
  } else if (rank_of(check.status) < rank_of(same->status)) {
    *same = std::move(check);
  }
}

}  // namespace vernier
