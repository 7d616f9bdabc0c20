#include "reports/words/specs/readers_json.hpp"

#include <fmt/format.h>

#include "reference/json/json_tree.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

JsonValue text_or_null(const std::string& value) {
  return value.empty() ? JsonValue() : JsonValue(value);
}

JsonValue real(double value) {
  return JsonValue(JsonValue::Number{fmt::format("{}", value)});
}

JsonValue texts(const std::vector<std::string>& values) {
  return JsonValue(JsonValue::Array(values.begin(), values.end()));
}

/// What one reader makes of one document.
JsonValue::Object reading_members(const Reading& reading) {
  JsonValue::Array read;
  JsonValue::Array defaulted;
  JsonValue::Array ignored;
  for (const auto& one : reading.quantities) {
    JsonValue::Object entry{{"quantity", JsonValue(one.quantity)}};
    if (!one.key.empty()) {
      entry.emplace_back("key", JsonValue(one.key));
    }
    entry.emplace_back("value", one.value);
    (one.key.empty() ? defaulted : read).emplace_back(std::move(entry));
  }
  for (const auto& one : reading.ignored) {
    ignored.emplace_back(JsonValue::Object{{"key", JsonValue(one.key)}, {"value", one.value}});
  }
  return {{"spec", reading.spec},
          {"error", text_or_null(reading.error)},
          {"read", JsonValue(std::move(read))},
          {"defaulted", JsonValue(std::move(defaulted))},
          {"ignored", JsonValue(std::move(ignored))}};
}

JsonValue reader_value(const Parting& parting, bool has_two_documents) {
  const auto& name = parting.reading.reader;
  JsonValue::Object reader{
      {"reader", JsonValue(name)},
      {"source", JsonValue(std::ranges::find(readers(), name, &ReaderRow::name)->source)}};
  if (!parting.reading.kind.empty()) {
    reader.emplace_back("kind", JsonValue(parting.reading.kind));
  }
  reader.emplace_back("agrees", parting.is_known() ? JsonValue(parting.agrees()) : JsonValue());
  auto members = reading_members(parting.reading);
  reader.insert(reader.end(), members.begin(), members.end());
  if (has_two_documents) {
    reader.emplace_back("first", JsonValue(reading_members(parting.compared)));
  }
  return JsonValue(std::move(reader));
}

JsonValue finding_value(const ReaderFinding& finding) {
  const auto& position = finding.rotation.first_position;
  JsonValue::Object result{{"readers", texts(finding.readers)},
                           {"sentence", JsonValue(finding.sentence)},
                           {"key", JsonValue(finding.key)},
                           {"ratio", real(finding.rotation.ratio)},
                           {"pair", integer_value(finding.rotation.pair)},
                           {"amplitude", real(finding.rotation.amplitude)},
                           {"from_position", position ? integer_value(*position) : JsonValue()}};
  if (!finding.kind.empty()) {
    result.insert(result.begin() + 1, {"kind", JsonValue(finding.kind)});
  }
  return JsonValue(std::move(result));
}

}  // namespace

JsonValue readers_value(const ReadersReport& report) {
  const bool has_two_documents = report.files.size() > 1;
  auto all = mapped(report.partings,
                    [&](const Parting& parting) { return reader_value(parting, has_two_documents); });
  const bool has_edit = report.edit && json_text(report.edit->patch) != "{}";
  const bool is_told = report.is_known() || !report.agrees();
  return JsonValue(JsonValue::Object{{"vernier_readers", integer_value(1)},
                                     {"files", texts(report.files)},
                                     {"encoding", text_or_null(report.encoding)},
                                     {"agrees", is_told ? JsonValue(report.agrees()) : JsonValue()},
                                     {"readers", JsonValue(std::move(all))},
                                     {"findings", JsonValue(mapped(report.findings, finding_value))},
                                     {"edit", has_edit ? report.edit->patch : JsonValue()},
                                     {"remaining", report.edit ? texts(report.edit->remaining) : texts({})}});
}

}  // namespace vernier
