#include <limits>

#include <fmt/core.h>

#include "reference/json/json_tree.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reports/outputs/comparisons/verdict_document.hpp"
#include "reports/words/file.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

constexpr int history_version = 1;

OrderedJson history_line(const CheckRecord& check) {
  OrderedJson result{{"id", check.id}, {"status", to_string(check.status)}};
  add_if_any(result, "budget_ratio", check.budget_ratio(), real_json);
  return result;
}

std::string line_of(const RecordedRun& entry) {
  OrderedJson line{{"vernier_history", history_version}, {"label", entry.label}, {"case", entry.name}};
  add_if_any(line, "implementation", entry.implementation);
  line["producer"] = entry.producer;
  line["version"] = entry.tool_version;
  line["verdict"] = to_string(entry.conclusion);
  line["spec"] = entry.spec;
  line["checks"] = array_json(entry.checks, history_line);
  return line.dump(-1, ' ', /*ensure_ascii=*/true, OrderedJson::error_handler_t::replace) + "\n";
}

CheckRecord read_history_check(const JsonValue& value, const std::string& source, std::size_t index) {
  ObjectReader reader(value, source, fmt::format("checks[{}]", index));
  CheckRecord check{.id = reader.string("id"), .status = read_status(reader, "status")};
  check.figures.front() = read_figure(value, reader, "budget_ratio");
  reader.finish();
  return check;
}

RecordedRun read_line(const std::string& text, const std::string& source) {
  const auto value = parse_json(text, source);
  ObjectReader reader(value, source, "");
  reader.integer("vernier_history", history_version, history_version);
  RecordedRun entry{.source = source,
                    .label = reader.string("label"),
                    .name = reader.string("case"),
                    .implementation = reader.optional_string("implementation").value_or(""),
                    .producer = reader.string("producer"),
                    .tool_version = reader.string("version"),
                    .conclusion = read_conclusion(reader, "verdict")};
  reader.ignore("spec");
  if (const auto* spec = value_at(value, "spec")) {
    entry.spec = OrderedJson::parse(json_text(*spec));
  }
  std::size_t index = 0;
  for (const auto& check : reader.array("checks", "a list")) {
    add_current(entry.checks, read_history_check(check, source, index++));
  }
  reader.finish();
  return entry;
}

std::string text_of_file(const std::string& file) {
  return is_there(file) ? read_text(file) : std::string();
}

}  // namespace

RunHistory parse_history(const std::string& text, const std::string& file) {
  RunHistory history;
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const auto source = fmt::format("{}, run {}", file, line);
    const auto end = text.find('\n', at);
    refuse_if(end == std::string::npos,
              "{}: found the end of the file, expected the end of a line: it was cut short", source);
    history.push_back(read_line(text.substr(at, end - at), source));
    at = end + 1;
  }
  return history;
}

RunHistory read_history(const std::string& file) {
  return parse_history(text_of_file(file), file);
}

std::string history_text(const std::string& file, std::span<const RecordedRun> more) {
  auto text = text_of_file(file);
  std::ignore = parse_history(text, file);
  for (const auto& entry : more) {
    text += line_of(entry);
  }
  return text;
}

RunHistory runs_of_case(const RunHistory& history, const RecordedRun& run) {
  return filtered(history, [&](const RecordedRun& earlier) {
    return earlier.name == run.name && earlier.implementation == run.implementation;
  });
}

std::vector<double> budget_trend(const RunHistory& history, std::string_view id) {
  return mapped(history, [&](const RecordedRun& entry) {
    double greatest = std::numeric_limits<double>::quiet_NaN();
    for (const auto& check : entry.checks) {
      const bool is_meant = id.empty() ? check.status != Status::waived : check.id == id;
      if (is_meant && check.budget_ratio() && !(*check.budget_ratio() <= greatest)) {
        greatest = *check.budget_ratio();
      }
    }
    return greatest;
  });
}

}  // namespace vernier
