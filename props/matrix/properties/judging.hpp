#pragma once

#include "props/check.hpp"
#include "props/matrix/position_model.hpp"

namespace vernier {

/// Fails if the number certainly is not zero, holds if it may be.
Outcome must_vanish(const Interval& residual);
/// Fails if `greater` certainly is above `smaller`.
Outcome must_not_exceed(const Interval& greater, const Interval& smaller);
/// Whether both enclosures are the same single number.
bool certainly_equal(const Interval& a, const Interval& b);
bool certainly_equal(const IntervalVector& a, const IntervalVector& b);
/// Whether some component certainly differs.
bool certainly_different(const IntervalVector& a, const IntervalVector& b);
/// Euclidean norm.
Interval norm(const IntervalVector& x);

}  // namespace vernier
