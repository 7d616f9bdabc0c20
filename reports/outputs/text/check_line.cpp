#include "reports/outputs/text/check_line.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reports/checks/elements.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int digits = 4;

std::string worst_text(const ElementWitness& e) {
  // That of the truth is the value which has no format of its own to be told in.
  const auto truth = e.expected ? significant_text(*e.expected, digits) : e.truth.substr(0, 10);
  const auto copy =
      e.leading_index.empty() ? "" : fmt::format("row {}, ", to_string(RowPlace{e.leading_index, e.row}));
  return fmt::format(
      "at {}position {}, column {}: {}, not {}{}", copy, e.position, e.column,
      significant_text(e.got, digits), truth,
      std::isfinite(e.budget_ratio) ? fmt::format("; {} budgets", significant_text(e.budget_ratio, 3)) : "");
}

/// "0.5 = 0x1p-1 = 0x3f000000" is 0.5 in a line.
std::string in_decimal(const std::string& value) {
  return value.substr(0, value.find(" = 0x"));
}

std::string counterexample_text(const Check& check) {
  std::string text;
  for (const auto& [name, value] : check.counterexample) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, in_decimal(value));
  }
  return text;
}

/// "31020 of 57728 elements fail, "; nothing where nothing was counted.
std::string failing_text(const Counts& counts) {
  return counts.failing == 0 ? "" : fmt::format("{} of {} fail, ", counts.failing, counts.judged);
}

std::string failure_text(const Check& check, std::size_t room) {
  if (check.worst) {
    return failing_text(check.counts) + "the worst " + worst_text(*check.worst);
  }
  if (check.counterexample.empty()) {
    return check.reason;
  }
  const auto counterexample = counterexample_text(check);
  const auto with_reason = check.reason + ": " + counterexample;
  return characters(with_reason) <= room || check.counts.failing == 0
             ? with_reason
             : failing_text(check.counts) + "as " + counterexample;
}

}  // namespace

std::string check_line(const Check& check) {
  if (check.status != Status::fail) {
    return fmt::format("{} {}: {}", to_string(check.status), check.id, check.reason);
  }
  const auto start = fmt::format("FAIL  {}: ", check.id);
  return start + failure_text(check, line_width - detail_indent -
                                         std::min(characters(start), line_width - detail_indent));
}

}  // namespace vernier
