#include <cmath>

#include "numerics/metrics.hpp"
#include "reports/checks/checks.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int error_digits = 3;

std::string value_text(Format format, double value) {
  return shortest_text(format, value) + " = " + hex_text(value) + " = " + bits_text(format, value);
}

/// Where an element is, what was expected there and got, and how far off that is.
std::vector<std::pair<std::string, std::string>> told(const BiasTensor& bias, const BiasElement& element,
                                                      std::span<const std::int64_t> keys) {
  const auto format = bias.stored();
  std::vector<std::pair<std::string, std::string>> text{{"head", std::to_string(element.head)}};
  if (bias.table.factor != BiasTable::Factor::one) {
    text.emplace_back("query", std::to_string(element.query));
    text.emplace_back("key", std::to_string(element.key));
    text.emplace_back("key position", std::to_string(keys[element.key]));
  }
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
  return text;
}

void conclude(Check& check, const BiasReport& report) {
  const auto elements = std::to_string(report.elements);
  const auto worst = report.worst ? "; the worst " + usage_text(report.worst->used) : "";
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

void judge(const AuditedCase& audited, std::string_view role, std::vector<Check>& out) {
  for (const auto& bias : audited.subject.biases) {
    if (bias.table.role != role || bias.tensor.elements() == 0) {
      continue;
    }
    const auto& keys = audited.subject.positions;
    const auto report = audit_bias(bias, keys);
    Check check{"accuracy/" + bias.table.role};
    check.required = "every element within the budget of the contract " + std::string(bias.contract->id) +
                     " (" + std::string(bias.contract->meaning) + "): " + std::string(bias.contract->budget);
    check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
    if (const auto& shown = report.failing > 0 ? report.first_failing : report.worst) {
      check.counterexample = told(bias, *shown, keys);
    }
    conclude(check, report);
    out.push_back(std::move(check));
  }
}

}  // namespace

CheckKind slopes_check() {
  return {
      "accuracy/slopes",
      "Every head's slope lies within its budget around the true power of two. Heads in another order, or "
      "the plain geometric sequence where the number of heads is no power of two, fail here.",
      "O. Press et al. 2022 and their code; the budget is derived in numerics/bias_budget.hpp",
      [](const AuditedCase& audited, std::vector<Check>& out) { judge(audited, "slopes", out); }};
}

CheckKind bias_check() {
  return {"accuracy/bias",
          "Every bias lies within its budget around the slope times the position or distance that the spec "
          "names. A wrong sign, origin or slope fails here.",
          "O. Press et al. 2022 and their code; the budget is derived in numerics/bias_budget.hpp",
          [](const AuditedCase& audited, std::vector<Check>& out) { judge(audited, "bias", out); }};
}

}  // namespace vernier
