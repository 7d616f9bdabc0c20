#include <optional>

#include "props/judging/shift.hpp"
#include "props/laws/law.hpp"
#include "props/models/judging.hpp"

namespace vernier {
namespace {

/// Up to this dimension the shift is carried out as one matrix, as the law states it; beyond, block by block.
constexpr Eigen::Index largest_full_matrix = 8;

void judge_shifted_row(const LawCase& instance, TableView& view, Judgement& judgement) {
  const std::int64_t t = instance.position("t");
  const std::int64_t k = instance.position("k");
  const auto offset = view.truth(k);
  const auto row = view.row(t, Allowance::total);
  const IntervalVector predicted = row.size() <= largest_full_matrix
                                       ? IntervalVector(shift_matrix(view, offset) * row)
                                       : shifted(view, offset, row);
  const IntervalVector residual = view.row(t + k, Allowance::total) - predicted;
  for (const auto& pair : view.pairs()) {
    judgement.must_vanish(residual(pair.sine), view.scale(), "sine of pair", pair.pair);
    judgement.must_vanish(residual(pair.cosine), view.scale(), "cosine of pair", pair.pair);
  }
}

/// Wider codes would need elimination at a precision that grows with their width.
constexpr Eigen::Index widest_solved = 16;

/// Solves `matrix` x = `right` by Gaussian elimination, in enclosures; nothing if a pivot may be zero.
std::optional<IntervalVector> solve(IntervalMatrix matrix, IntervalVector right) {
  const auto n = matrix.rows();
  for (Eigen::Index column = 0; column < n; ++column) {
    Eigen::Index pivot = column;
    for (Eigen::Index row = column + 1; row < n; ++row) {
      if (least_magnitude(matrix(row, column)) > least_magnitude(matrix(pivot, column))) {
        pivot = row;
      }
    }
    if (contains_zero(matrix(pivot, column))) {
      return std::nullopt;
    }
    matrix.row(column).swap(matrix.row(pivot));
    std::swap(right(column), right(pivot));
    for (Eigen::Index row = column + 1; row < n; ++row) {
      const Interval factor = matrix(row, column) / matrix(column, column);
      matrix.row(row) -= factor * matrix.row(column);
      right(row) -= factor * right(column);
    }
  }
  for (Eigen::Index row = n - 1; row >= 0; --row) {
    for (Eigen::Index column = row + 1; column < n; ++column) {
      right(row) -= matrix(row, column) * right(column);
    }
    right(row) /= matrix(row, row);
  }
  return right;
}

bool is_zero(const IntervalVector& x) {
  return certainly_equal(x, IntervalVector::Zero(x.size()));
}

/// A linear map M_k that takes code(u) to code(u + k) keeps every linear dependence: code(t + d) = sum_j c_j
/// code(t + j) entails the same k positions further on.
Outcome judge_shifted_codes(const PositionModel& model, const MatrixCase& values) {
  const auto window = model.window();
  const auto d = model.code(values.t).size();
  const auto holds = [&](std::int64_t position) { return window.holds(position); };
  if (is_zero(model.code(values.t)) &&
      certainly_different(model.code(values.t), model.code(values.t + values.k))) {
    return Outcome::fails;
  }
  if (d > widest_solved || !holds(values.t + d) || !holds(values.t + values.k + d)) {
    return Outcome::discarded;
  }
  const auto rows_from = [&](std::int64_t first) {
    IntervalMatrix rows(d, d);
    for (Eigen::Index j = 0; j < d; ++j) {
      rows.col(j) = model.code(first + j);
    }
    return rows;
  };
  const auto combination = solve(rows_from(values.t), model.code(values.t + d));
  if (!combination) {
    return Outcome::inconclusive;
  }
  const IntervalVector residual =
      model.code(values.t + values.k + d) - rows_from(values.t + values.k) * *combination;
  return certainly_different(residual, IntervalVector::Zero(d)) ? Outcome::fails : Outcome::holds;
}

}  // namespace

std::vector<Property> linear_shift_properties() {
  return {{.id = "linear-shift",
           .drawn = {{.judge = judge_shifted_row}},
           .model = ModelJudge{.judge = judge_shifted_codes}}};
}

}  // namespace vernier
