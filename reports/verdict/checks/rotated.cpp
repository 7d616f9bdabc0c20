#include <algorithm>

#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Where a rotated element is, which pair it belongs to, and what that was before.
Described place_in(const RotatedTensor& tensor, std::size_t index) {
  auto text = described(tensor, index);
  const auto dimension = index % tensor.head_dim();
  const auto first = index - dimension;
  const auto& rotated = tensor.rotation.rotated;
  const auto found = std::ranges::find(rotated, dimension, &RotatedDimension::out);
  const auto input = [&](std::size_t of) {
    return shortest_text(*tensor.input.format(), tensor.input.number(first + of));
  };
  text.emplace_back("pair", std::to_string(found->pair));
  if (!tensor.positions_by_axis.empty()) {
    text.push_back(turning_axis(tensor.rotation.axes[static_cast<std::size_t>(found->pair)]));
  }
  text.emplace_back("input", input(found->own) + ", with " + input(found->other) + " of dimension " +
                                 std::to_string(found->other));
  return text;
}

/// What is to be told of vectors that are within their budgets: that they are not computed as the contract
/// says.
std::string narrowness(const RotatedTensor& tensor, double budget_ratio) {
  const auto report = audit_one_rounding(tensor);
  return report.failing == 0
             ? ""
             : fmt::format(
                   "{}: {} of {} elements looked at are off by more than {} and one rounding to {} make",
                   narrow_arithmetic_text(tensor.contract->id, budget_ratio), report.failing, report.elements,
                   traits(tensor.model().parameters().compute).name, traits(tensor.stored()).name);
}

using Belongs = bool (*)(const HeadRotation& rotation);

void judge_rotated(const AuditedCase& audited, Belongs belongs, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    const auto& tensor = audited.subject.tensors.all<RotatedTensor>()[i];
    if (!belongs(tensor.rotation)) {
      continue;
    }
    auto check = elementwise_check("accuracy/" + tensor.role(), *tensor.contract, *tensor.rotated.format(),
                                   audited.rotated[i].elements,
                                   [&](std::size_t index) { return place_in(tensor, index); });
    check.failing_extent = audited.rotated[i].failing_extent;
    if (check.status == Status::pass) {
      check.note = narrowness(tensor, check.greatest_budget_ratio.value_or(0));
      check.reason += check.note.empty() ? "" : "; " + check.note;
    }
    out.push_back(std::move(check));
  }
}

}  // namespace

Described described_row(const RotatedTensor& tensor, std::size_t row) {
  auto text = described(row_place(tensor.leading, tensor.rows(), row));
  if (tensor.positions_by_axis.empty()) {
    text.emplace_back("position", tensor.rotation.table.positions.text(tensor.positions[row]));
  } else {
    text.emplace_back("positions", positions_text(tensor.rotation, tensor.positions_by_axis, row));
  }
  return text;
}

Described described(const RotatedTensor& tensor, std::size_t index) {
  auto text = described_row(tensor, index / tensor.head_dim());
  text.emplace_back("dimension", std::to_string(index % tensor.head_dim()));
  return text;
}

void judge_rotated_queries(const AuditedCase& audited, std::vector<Check>& out) {
  judge_rotated(
      audited, [](const HeadRotation& one) { return !one.is_gradient && !one.is_of_keys; }, out);
}

void judge_rotated_keys(const AuditedCase& audited, std::vector<Check>& out) {
  judge_rotated(
      audited, [](const HeadRotation& one) { return !one.is_gradient && one.is_of_keys; }, out);
}

void judge_gradients(const AuditedCase& audited, std::vector<Check>& out) {
  judge_rotated(
      audited, [](const HeadRotation& one) { return one.is_gradient; }, out);
}

}  // namespace vernier
