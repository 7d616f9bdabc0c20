#include "reports/comparisons/run_history.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "reference/configs/json_tree.hpp"
#include "reference/input_error.hpp"
#include "reference/text_file.hpp"
#include "reports/outputs/number_json.hpp"

namespace vernier {
namespace {

constexpr int history_version = 1;

OrderedJson check_line(const HistoryCheck& check) {
  OrderedJson result{{"id", check.id}, {"status", to_string(check.status)}};
  if (check.budget_ratio) {
    result["budget_ratio"] = real_json(*check.budget_ratio);
  }
  return result;
}

std::string line_of(const HistoryEntry& entry) {
  OrderedJson line{{"vernier_history", history_version},
                   {"label", entry.label},
                   {"case", entry.name},
                   {"producer", entry.producer},
                   {"version", entry.tool_version},
                   {"verdict", to_string(entry.conclusion)},
                   {"spec", OrderedJson::parse(json_text(entry.spec))},
                   {"checks", OrderedJson::array()}};
  for (const auto& check : entry.checks) {
    line["checks"].push_back(check_line(check));
  }
  return line.dump(-1, ' ', /*ensure_ascii=*/true, OrderedJson::error_handler_t::replace) + "\n";
}

HistoryCheck read_check(const JsonValue& value, const std::string& source, std::size_t index) {
  ObjectReader reader(value, source, fmt::format("checks[{}]", index));
  HistoryCheck check{.id = reader.string("id"), .status = read_status(reader, "status")};
  check.budget_ratio = read_figure(value, reader, "budget_ratio");
  reader.finish();
  return check;
}

HistoryEntry read_line(const std::string& text, const std::string& source) {
  const auto value = parse_json(text, source);
  ObjectReader reader(value, source, "");
  reader.integer("vernier_history", history_version, history_version);
  HistoryEntry entry{.label = reader.string("label"),
                     .name = reader.string("case"),
                     .producer = reader.string("producer"),
                     .tool_version = reader.string("version"),
                     .conclusion = read_conclusion(reader, "verdict")};
  reader.ignore("spec");
  if (const auto* spec = value_at(value, "spec")) {
    entry.spec = *spec;
  }
  std::size_t index = 0;
  for (const auto& check : reader.array("checks", "a list")) {
    entry.checks.push_back(read_check(check, source, index++));
  }
  reader.finish();
  return entry;
}

std::string text_of_file(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error) ? read_text(file) : std::string();
}

}  // namespace

const HistoryCheck* HistoryEntry::check_named(std::string_view id) const {
  const auto found = std::ranges::find(checks, id, &HistoryCheck::id);
  return found == checks.end() ? nullptr : &*found;
}

HistoryEntry history_entry(const VerdictDocument& document, const std::string& label) {
  HistoryEntry entry{.label = label.empty() ? document.label : label,
                     .name = document.name,
                     .producer = document.producer,
                     .tool_version = document.tool_version,
                     .conclusion = document.conclusion,
                     .spec = document.spec,
                     .checks = {}};
  for (const auto& check : document.checks) {
    entry.checks.push_back({check.id, check.status, check.budget_ratio});
  }
  return entry;
}

RunHistory read_history(const std::string& file, const JsonValue& spec, const std::string& spec_source) {
  const auto text = text_of_file(file);
  RunHistory history;
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const auto source = fmt::format("{}, run {}", file, line);
    const auto end = text.find('\n', at);
    if (end == std::string::npos) {
      throw InputError("{}: found the end of the file, expected the end of a line: it was cut short", source);
    }
    history.push_back(read_line(text.substr(at, end - at), source));
    require_same_spec(history.back().spec, source, spec, spec_source);
    at = end + 1;
  }
  return history;
}

std::string history_text(const std::string& file, const HistoryEntry& entry) {
  return text_of_file(file) + line_of(entry);
}

std::vector<double> budget_trend(const RunHistory& history, std::string_view id) {
  std::vector<double> trend;
  for (const auto& entry : history) {
    double greatest = std::numeric_limits<double>::quiet_NaN();
    for (const auto& check : entry.checks) {
      const bool is_meant = id.empty() ? check.status != Status::waived : check.id == id;
      if (is_meant && check.budget_ratio && !(*check.budget_ratio <= greatest)) {
        greatest = *check.budget_ratio;
      }
    }
    trend.push_back(greatest);
  }
  return trend;
}

}  // namespace vernier
