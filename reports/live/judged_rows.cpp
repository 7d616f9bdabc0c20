#include "reports/live/judged_rows.hpp"

#include <algorithm>
#include <limits>

namespace vernier {
namespace {

const Tensor* answer_of(const AnsweredRows& rows, const std::string& role) {
  const auto found = rows.tensors.find(role);
  return found == rows.tensors.end() ? nullptr : &found->second;
}

void tell(JudgedRows& told, WrongElement wrong) {
  if (!told.wrong) {
    told.wrong = std::move(wrong);
  }
}

/// \param width of the rows of the elements that the report is about
void tell(JudgedRows& told, const ElementwiseReport& report, const std::string& role, std::size_t width) {
  told.judged += report.judged;
  if (report.worst) {
    told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, report.worst->budget_ratio);
  }
  if (const auto& first = report.first_failing) {
    tell(told, {role, first->index / width, first->index % width, first->budget_ratio});
  }
}

/// The same rows at the places of their positions (position_map.hpp).
AnsweredRows at_places(const Case& judged, AnsweredRows rows) {
  const auto make = [&](std::vector<std::int64_t>& positions, std::size_t axis) {
    const auto& map = judged.encoding->positions_along(axis);
    if (!map.is_plain()) {
      std::ranges::transform(positions, positions.begin(),
                             [&](auto position) { return map.place(position); });
    }
  };
  make(rows.positions, 0);
  for (std::size_t axis = 0; axis < rows.positions_by_axis.size(); ++axis) {
    make(rows.positions_by_axis[axis], axis);
  }
  return rows;
}

void judge_table(const TableTensor& table, const AnsweredRows& rows, const Tensor& answer, JudgedRows& told) {
  const TableTensor tensor{table.table, answer, table.contract};
  const auto report = audit_tensor(tensor, tensor.table, rows.positions);
  told.judged += report.judged;
  if (report.worst) {
    told.greatest_budget_ratio = std::max(told.greatest_budget_ratio, report.worst->budget_ratio);
  }
  if (const auto& first = report.first_failing) {
    tell(told, {table.role(), static_cast<std::size_t>(first->place.row), first->place.column,
                first->budget_ratio});
  }
}

void judge_bias(const BiasTensor& bias, const AnsweredRows& rows, const Tensor& answer, JudgedRows& told) {
  const BiasTensor tensor{{bias.table, answer, bias.contract}};
  const auto report = audit_elements(tensor, rows.positions);
  const auto keys = tensor.keys();
  tell(told, report, bias.role(), keys);
  if (report.first_failing && told.wrong->role == bias.role()) {
    std::swap(told.wrong->row, told.wrong->column);
  }
}

void judge_vectors(const RotatedTensor& main, const AnsweredRows& rows, const Tensor& answer,
                   JudgedRows& told) {
  const RotatedTensor tensor{main.rotation,          *rows.input,      answer,
                             main.contract,          rows.positions,   {},
                             rows.positions_by_axis, main.quantization};
  const auto report = audit_rotated(tensor);
  const auto width = tensor.head_dim();
  tell(told, report.elements, tensor.role(), width);
  if (const auto& first = report.changed.first) {
    tell(told, {tensor.role(), *first / width, *first % width, std::numeric_limits<double>::infinity()});
  }
  const auto& pairs = tensor.rotation.pairs;
  if (const auto& first = report.norms.first_failing) {
    tell(told, {tensor.role(), first->index / pairs.size(), pairs[first->index % pairs.size()].first,
                first->budget_ratio});
  }
}

}  // namespace

JudgedRows judge_rows(const Case& judged, const AnsweredRows& answered) {
  const auto rows = at_places(judged, answered);
  JudgedRows told;
  for (const auto& table : judged.tensors.all<TableTensor>()) {
    if (const auto* answer = answer_of(rows, table.role())) {
      judge_table(table, rows, *answer, told);
    }
  }
  for (const auto& values : judged.tensors.all<ExactTensor>()) {
    if (const auto* answer = answer_of(rows, values.role())) {
      const auto report =
          audit_elements(ExactTensor{values.table, *answer, values.contract}, {.positions = rows.positions});
      tell(told, report, values.role(), values.table.columns);
    }
  }
  for (const auto& turned : judged.tensors.all<TurnedTensor>()) {
    if (const auto* answer = answer_of(rows, turned.role())) {
      SourceRows of_table{.positions = rows.positions, .by_axis = rows.positions_by_axis};
      if (const auto& axes = turned.table.axes) {
        of_table.zero_rows = axes->positions.zero_rows(answered.positions_by_axis);
      }
      tell(told, audit_elements(TurnedTensor{turned.table, *answer, turned.contract}, of_table),
           turned.role(), turned.columns());
    }
  }
  for (const auto& bias : judged.tensors.all<BiasTensor>()) {
    if (const auto* answer = answer_of(rows, bias.role())) {
      judge_bias(bias, rows, *answer, told);
    }
  }
  for (const auto& vectors : judged.tensors.all<RotatedTensor>()) {
    const auto* answer = answer_of(rows, vectors.role());
    if (answer != nullptr && rows.input &&
        vectors.positions_by_axis.size() == rows.positions_by_axis.size()) {
      judge_vectors(vectors, rows, *answer, told);
    }
  }
  return told;
}

}  // namespace vernier
