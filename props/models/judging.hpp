#pragma once

#include <cstdint>

#include "props/judging/check.hpp"
#include "props/models/position_model.hpp"

namespace vernier {

/// Values for the variables of a property that models are judged by; each uses some.
struct MatrixCase {
  std::int64_t t = 0;
  std::int64_t s = 0;
  std::int64_t k = 0;
};

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
