#pragma once

#include <functional>

#include "reference/real.hpp"

namespace vernier {

/// A real number that is neither rational nor a sine of a table, and what computing it costs. Who defines the
/// number derives both, as the cost follows from the formula.
struct ComputedReal {
  Real value;
  double estimate = 0;  ///< of the value, in double precision: for screens and the size of budgets
  /// What an honest computation in a format with this unit roundoff is off by at most. Null where nothing is
  /// computed, and the value is merely stored.
  std::function<double(double roundoff)> error = nullptr;
};

/// The most that so many roundings move a value of magnitude one: (1 + u)^roundings - 1. A function of a
/// library is good to 1 ulp, which is two roundings.
double growth_by(double roundings, double roundoff);

}  // namespace vernier
