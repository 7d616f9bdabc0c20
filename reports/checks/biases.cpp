#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

/// Where an element is, what was expected there and got, and how far off that is.
std::vector<std::pair<std::string, std::string>> told(const BiasTensor& bias, const JudgedElement& element,
                                                      std::span<const std::int64_t> keys) {
  const auto row = element.index / bias.keys();
  std::vector<std::pair<std::string, std::string>> text{{"head", std::to_string(row / bias.queries())}};
  if (bias.table.factor != BiasTable::Factor::one) {
    const auto key = element.index % bias.keys();
    text.emplace_back("query", std::to_string(row % bias.queries()));
    text.emplace_back("key", std::to_string(key));
    text.emplace_back("key position", std::to_string(keys[key]));
  }
  tell(element, bias.stored(), text);
  return text;
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
