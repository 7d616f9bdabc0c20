#pragma once

#include "numerics/tolerances/error_bound.hpp"

namespace vernier {

/// The order of operations by which vectors are rotated, y = x0 c - x1 s and x0 s + x1 c.
struct RotationOrder {
  Format tables = Format::binary32;   ///< of cosines and sines
  Format math = Format::binary32;     ///< in which they are multiplied and added
  Format vectors = Format::binary32;  ///< of x and y; no more precise than `math`
  /// Whether one product is added before it is rounded, as a fused multiplication does.
  bool is_fused = false;
  double input_bound = 1;  ///< |x0| and |x1| are at most this
};

/// The most that any component of a rotated vector may be off by at positions up to `farthest` in magnitude.
/// \param model of a contract bound to the table, stored in the format of `order.tables`
///
/// Let D be the most that the phase is off by, f the phase, and y' = -(x0 s + x1 c) the rate at which y moves
/// with it. Both components are made of one phase, so it moves y by |y'| D + |y| D^2 / 2 at most, where y^2 +
/// y'^2 = |x|^2: by up to |x| D, but not where y is large. The trigonometry and the table's rounding move it
/// by |x0| e(c) + |x1| e(s). Each product is rounded once, unless it is exact (a p-bit number times a q-bit
/// one in a format of p + q bits) or fused; then the sum, in `math`; then the result, to the format of the
/// vectors, where that is another. Each rounding is at most half an ulp of the greatest that its operand may
/// be with all errors made before (greatest_rounding), so that no term of second order is left out.
///
/// The bound is the greatest over all phases and all x. Growing both components of x grows every term, so
/// that one of them is taken to be the input bound. What is left, the phase's quarter turn and the ratio of
/// the components, is cut into cells; a cell's bound takes each quantity at the end where it is greatest.
GreatestErrors rotation_errors(const BudgetModel& model, const RotationOrder& order, std::int64_t farthest);

/// Whether products of a vector's and a table's numbers are exact.
bool has_exact_products(const RotationOrder& order);

}  // namespace vernier
