#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

void judge_values(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& positions = audited.subject.positions;
  for (const auto& values : audited.subject.values) {
    if (values.tensor.elements() == 0) {
      continue;
    }
    const auto place = [&](std::size_t index) -> Described {
      const auto row = index / values.table.columns;
      auto text = described(row_place(audited.subject.leading, values.rows(), row));
      text.emplace_back("position", std::to_string(positions[row]));
      text.emplace_back("column", std::to_string(index % values.table.columns));
      return text;
    };
    out.push_back(elementwise_check("values/" + values.role(), *values.contract, values.stored(),
                                    audit_values(values, positions), place));
  }
}

}  // namespace

CheckKind values_check() {
  return {"values/<role>",
          "Every element of an absolute encoding lies within its budget around the truth, or is equal to it "
          "where nothing is rounded. Indices from another origin, another reading of a share of the length, "
          "digits in another order or rows of another table fail here.",
          "the definitions that the scheme cites; the budget is derived in numerics/errors/bias_budget.hpp",
          judge_values};
}

}  // namespace vernier
