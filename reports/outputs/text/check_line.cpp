#include "reports/outputs/text/check_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "reference/told_apart.hpp"
#include "reports/checks/elements.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int value_digits = 4;

/// In few characters: "0.9997", "1.65e+07".
std::string short_text(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string worst_text(const ElementWitness& e) {
  const auto [got, truth] = e.expected
                                ? told_apart(e.got, *e.expected, value_digits)
                                : std::pair(short_text(e.got, value_digits), cut(e.truth, value_digits + 4));
  const auto copy =
      e.leading_index.empty() ? "" : fmt::format("row {}, ", to_string(RowPlace{e.leading_index, e.row}));
  return fmt::format(
      "worst at {}position {}, column {}: {}, not {}{}", copy, e.position_text(), e.column, got, truth,
      std::isfinite(e.budget_ratio) ? fmt::format(" ({} budgets)", times_text(e.budget_ratio)) : "");
}

/// "0.5 = 0x1p-1 = 0x3f000000" is 0.5 in a line.
std::string in_decimal(const std::string& value) {
  return value.substr(0, std::min(value.find(" = 0x"), value.find(" = -0x")));
}

std::string counterexample_text(const Check& check) {
  std::string text;
  for (const auto& [name, value] : check.counterexample) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, in_decimal(value));
  }
  return text;
}

/// Where it is, what was expected and what is there, without the input and what follows from these.
std::string short_counterexample_text(Check check) {
  auto& told = check.counterexample;
  const auto name = &std::pair<std::string, std::string>::first;
  if (const auto got = std::ranges::find(told, "got", name); got != told.end()) {
    told.erase(got + 1, told.end());
  }
  constexpr std::array<std::string_view, 3> unimportant{"pair", "input", "tensors"};
  std::erase_if(told, [&](const auto& entry) { return std::ranges::count(unimportant, entry.first) > 0; });
  return counterexample_text(check);
}

/// What failed in as many words as there is room for.
std::string failure_text(const Check& check, std::size_t room) {
  const auto counts =
      check.counts.failing == 0 ? "" : fmt::format("{} of {}", check.counts.failing, check.counts.judged);
  const auto after = [](const std::string& text, std::string_view separator, const std::string& more) {
    return text.empty() ? more : text + std::string(separator) + more;
  };
  if (check.worst) {
    return after(counts, "; ", worst_text(*check.worst));
  }
  if (check.counterexample.empty()) {
    return check.reason;
  }
  const auto with_reason = after(check.reason, ": ", counterexample_text(check));
  const bool has_values = with_reason.find(" got ") != std::string::npos;
  return characters(with_reason) <= room || counts.empty() || !has_values
             ? with_reason
             : after(counts, "; ", short_counterexample_text(check));
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
