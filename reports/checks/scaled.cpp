#include "reports/checks/checks.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {
namespace {

void judge_scaled(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& positions = audited.subject.positions;
  for (const auto& tensor : audited.subject.scaled) {
    if (tensor.tensor.elements() == 0) {
      continue;
    }
    const auto place = [&](std::size_t index) -> Described {
      const auto row = index / tensor.columns();
      const auto column = index % tensor.columns();
      auto text = described(row_place(audited.subject.leading, tensor.rows(), row));
      text.emplace_back("position", std::to_string(positions[row]));
      text.emplace_back("column", std::to_string(column));
      text.emplace_back("pair", std::to_string(tensor.table.sines.columns[column].pair));
      return text;
    };
    out.push_back(elementwise_check("scaled/" + tensor.role(), *tensor.contract, tensor.stored(),
                                    audit_scaled(tensor, positions), place));
  }
}

}  // namespace

CheckKind scaled_check() {
  return {"scaled/<role>",
          "Every element of a table whose sines and cosines are scaled by the position, or of the scales "
          "themselves, lies within its budget around the truth. Keys that are scaled like queries, another "
          "centre, another base of the scale and positions that are off fail here.",
          "Y. Sun et al., \"A Length-Extrapolatable Transformer\", 2022, and the codes that the centres are "
          "named after; the budget is derived in numerics/errors/scale_budget.hpp",
          judge_scaled};
}

}  // namespace vernier
