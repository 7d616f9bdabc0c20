#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

std::vector<std::pair<std::string, std::string>> told(const ValueTensor& values, const JudgedElement& element,
                                                      std::span<const std::int64_t> positions) {
  const auto row = element.index / values.table.columns;
  std::vector<std::pair<std::string, std::string>> text{
      {"row", std::to_string(row)},
      {"position", std::to_string(positions[row])},
      {"column", std::to_string(element.index % values.table.columns)}};
  tell(element, values.stored(), text);
  return text;
}

void judge(const AuditedCase& audited, std::vector<Check>& out) {
  for (const auto& values : audited.subject.values) {
    if (values.tensor.elements() == 0) {
      continue;
    }
    const auto& positions = audited.subject.positions;
    const auto report = audit_values(values, positions);
    Check check{"values/" + values.role()};
    check.required = "every element within the budget of the contract " + std::string(values.contract->id) +
                     " (" + std::string(values.contract->meaning) +
                     "): " + std::string(values.contract->budget);
    if (const auto& shown = report.failing > 0 ? report.first_failing : report.worst) {
      check.counterexample = told(values, *shown, positions);
    }
    conclude(check, report);
    out.push_back(std::move(check));
  }
}

}  // namespace

CheckKind values_check() {
  return {"values/<role>",
          "Every element of an absolute encoding lies within its budget around the truth, or is equal to it "
          "where nothing is rounded. Indices from another origin, another reading of a share of the length, "
          "digits in another order or rows of another table fail here.",
          "the definitions that the scheme cites; the budget is derived in numerics/bias_budget.hpp", judge};
}

}  // namespace vernier
