#include <optional>

#include "props/matrix/properties/judging.hpp"
#include "props/matrix/properties/properties.hpp"

namespace vernier {
namespace {

/// Wider codes would need elimination at a precision that grows with their width.
constexpr Eigen::Index widest = 16;

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
Outcome judge_linear_shift(const PositionModel& model, const MatrixCase& values) {
  const auto window = model.window();
  const auto d = model.code(values.t).size();
  const auto holds = [&](std::int64_t position) { return window.holds(position); };
  if (is_zero(model.code(values.t)) &&
      certainly_different(model.code(values.t), model.code(values.t + values.k))) {
    return Outcome::fails;
  }
  if (d > widest || !holds(values.t + d) || !holds(values.t + values.k + d)) {
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

MatrixProperty linear_shift_property() {
  return {"linear-shift", "Linear shift", "code(t + k) = M_k code(t) with one matrix M_k for all t", "t, k",
          judge_linear_shift};
}

}  // namespace vernier
