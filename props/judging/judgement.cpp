#include "props/judging/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <mpfi.h>

#include "numerics/budgets/conclusive.hpp"

namespace vernier {
namespace {

std::string place(const char* what, std::ptrdiff_t index) {
  return std::string(what) + " " + std::to_string(index);
}

/// |middle| / radius of an interval, exactly 0 or infinite where its radius is 0; more than 1 if and only if
/// zero is outside, also where an infinite end makes the quotient NaN.
double share_used(const Interval& residual, double interval_radius) {
  const double share = interval_radius == 0
                           ? (contains_zero(residual) ? 0 : std::numeric_limits<double>::infinity())
                           : std::fabs(middle(residual)) / interval_radius;
  return contains_zero(residual) ? std::min(1.0, share) : std::max(std::nextafter(1.0, 2.0), share);
}

}  // namespace

std::string to_string(const Residual& residual) {
  std::ostringstream out;
  out.precision(6);
  out << residual.where;
  if (std::isfinite(residual.lower)) {
    // Adding zero turns -0 into 0.
    out << ": residual in [" << residual.lower + 0.0 << ", " << residual.upper + 0.0 << "] "
        << (residual.excludes_zero() ? "excludes 0" : "contains 0");
  }
  return out.str();
}

void Judgement::must_vanish(const Interval& residual, double scale, const char* what, std::ptrdiff_t index) {
  const double interval_radius = radius(residual);
  conclusive_ = conclusive_ && !proves_nothing(interval_radius, scale);
  const double budget_ratio = share_used(residual, interval_radius);
  if (!worst_ || budget_ratio > worst_->budget_ratio) {
    const auto* ends = residual.backend().data();
    worst_ = Residual{place(what, index), mpfr_get_d(&ends->left, MPFR_RNDD),
                      mpfr_get_d(&ends->right, MPFR_RNDU), scale, budget_ratio};
  }
}

void Judgement::must_hold(bool statement, const char* what, std::ptrdiff_t index) {
  if (!statement) {
    worst_ = Residual{place(what, index), infinity, infinity, 0, infinity};
  }
}

}  // namespace vernier
