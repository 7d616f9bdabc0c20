#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"

// Tables with rows that are more than sines at one position: judged element by element.

namespace vernier {
namespace {

/// What is told of an element beside its row.
Described place_in(const ExactTensor& /*tensor*/, const Case& subject, std::size_t row, std::size_t column) {
  return {{"position", subject.position_text(row)}, {"column", std::to_string(column)}};
}

Described place_in(const TurnedTensor& tensor, const Case& subject, std::size_t row, std::size_t column) {
  if (!tensor.table.axes) {
    return {{"position", subject.position_text(row)},
            {"column", std::to_string(column)},
            {"pair", std::to_string(tensor.table.sines.columns[column].pair)}};
  }
  std::string positions;
  for (std::size_t axis = 0; axis < subject.positions_by_axis.size(); ++axis) {
    positions += (axis == 0 ? "" : ", ") + tensor.table.map(axis).text(subject.positions_by_axis[axis][row]);
  }
  return {
      {"positions", positions}, {"column", std::to_string(column)}, turning_axis(tensor.table.axis(column))};
}

/// \param family of checks, "values"
template <class Kind>
void judge_all(const std::vector<Kind>& tensors, const AuditedCase& audited, const std::string& family,
               std::vector<Check>& out) {
  const auto& subject = audited.subject;
  for (const auto& tensor : tensors) {
    if (tensor.tensor.elements() == 0) {
      continue;
    }
    const auto place = [&](std::size_t index) -> Described {
      const auto row = index / tensor.columns();
      auto text = described(row_place(subject.leading, tensor.rows(), row));
      std::ranges::move(place_in(tensor, subject, row, index % tensor.columns()), std::back_inserter(text));
      return text;
    };
    out.push_back(elementwise_check(family + "/" + tensor.role(), *tensor.contract, tensor.stored(),
                                    audit_elements(tensor, subject.rows()), place));
  }
}

}  // namespace

void judge_values(const AuditedCase& audited, std::vector<Check>& out) {
  judge_all(audited.subject.tensors.all<ExactTensor>(), audited, "values", out);
}

void judge_scaled(const AuditedCase& audited, std::vector<Check>& out) {
  judge_all(audited.subject.tensors.scaled(), audited, "scaled", out);
}

void judge_axes(const AuditedCase& audited, std::vector<Check>& out) {
  judge_all(audited.subject.tensors.of_axes(), audited, "axes", out);
}

}  // namespace vernier
