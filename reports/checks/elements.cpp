#include "reports/checks/elements.hpp"

#include <cmath>

#include "numerics/metrics.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int error_digits = 3;

std::string value_text(Format format, double value) {
  return shortest_text(format, value) + " = " + hex_text(value) + " = " + bits_text(format, value);
}

}  // namespace

void tell(const JudgedElement& element, Format format,
          std::vector<std::pair<std::string, std::string>>& text) {
  const auto expected = rounded(format, element.truth);
  text.emplace_back("expected", expected ? value_text(format, *expected)
                                         : shortest_text(Format::binary64, element.truth.approximately()));
  text.emplace_back("got", value_text(format, element.got));
  text.emplace_back("absolute error", significant_text(element.error, error_digits));
  text.emplace_back("error in ulp",
                    significant_text(signed_ulp_error(format, element.got, element.truth), error_digits));
  if (expected && !std::isnan(element.got)) {
    text.emplace_back("steps", std::to_string(ordinal_distance(format, element.got, *expected)));
  }
  text.emplace_back("budget", significant_text(element.budget, error_digits));
}

void conclude(Check& check, const ElementwiseReport& report) {
  const auto elements = std::to_string(report.elements);
  const auto worst = report.worst ? "; the worst " + usage_text(report.worst->used) : "";
  check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
  if (report.failing > 0) {
    check.status = Status::fail;
    check.reason = std::to_string(report.failing) + " of " + elements + " elements (" +
                   percent_text(static_cast<double>(report.failing) / static_cast<double>(report.elements)) +
                   ") are beyond their budget or not finite";
  } else if (report.inconclusive > 0) {
    check.status = Status::inconclusive;
    check.reason = "the budgets of " + std::to_string(report.inconclusive) + " of " + elements +
                   " elements exceed a quarter of the value and prove nothing";
  } else {
    check.status = Status::pass;
    check.reason = "all " + elements + " elements are within budget" + worst;
  }
}

}  // namespace vernier
