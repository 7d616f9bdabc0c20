#pragma once

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

// What g(x) / (d/2) becomes when the number of pairs grows without bound: the mean of cos(x theta_t) over t
// from 0 to 1. Enclosures at the working precision; MPFR has neither these nor Ci and Si. x > 0.

namespace vernier {

/// The cosine integral.
Interval cosine_integral(const Interval& x);
/// The sine integral.
Interval sine_integral(const Interval& x);

/// For theta_t = t^alpha, by the power series of the cosine integrated term by term. \param alpha > 0
Interval mean_cosine_of_power(const Interval& alpha, const Interval& x);
/// For theta_t = base^-t, likewise: it is (Ci(x) - Ci(x/base)) / ln base. \param base > 1
Interval mean_cosine_by_series(const Interval& base, const Interval& x);

}  // namespace vernier
