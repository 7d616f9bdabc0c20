#include "props/models/judging.hpp"

#include <mpfi.h>

#include "props/judging/interval_predicates.hpp"
#include "props/judging/shift.hpp"

namespace vernier {

Outcome must_vanish(const Interval& residual) {
  return contains_zero(residual) ? Outcome::holds : Outcome::fails;
}

Outcome must_not_exceed(const Interval& greater, const Interval& smaller) {
  return certainly_less(smaller, greater) ? Outcome::fails : Outcome::holds;
}

bool certainly_equal(const Interval& a, const Interval& b) {
  const Interval difference = a - b;
  return mpfi_is_zero(difference.backend().data()) != 0;
}

bool certainly_equal(const IntervalVector& a, const IntervalVector& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (!certainly_equal(a(i), b(i))) {
      return false;
    }
  }
  return true;
}

bool certainly_different(const IntervalVector& a, const IntervalVector& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (certainly_different(a(i), b(i))) {
      return true;
    }
  }
  return false;
}

Interval norm(const IntervalVector& x) {
  Interval sum = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    sum += squared(x(i));
  }
  return sqrt(sum);
}

}  // namespace vernier
