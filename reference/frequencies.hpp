#pragma once

#include <vector>

#include "reference/interval.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// The frequencies w_i = base^(-i step), i = 0 .. pairs-1, of a geometric progression: the paper's (step
/// 2/d), and tensor2tensor's (step 1/(d/2 - 1)). Frequencies are in radians a position; w_0 = 1.
struct GeometricFrequencies {
  Rational base;  ///< > 1
  Rational step;  ///< > 0
  int pairs = 0;  ///< >= 1

  /// An enclosure of w_i at the working precision. \param pair in [0, pairs)
  Interval at(int pair) const;
  /// Enclosures of all w_i at the working precision, each from the one before: the i-th is about i units
  /// wider in its last place than need be, for a twentieth of the time.
  std::vector<Interval> enclosures() const;
  /// w_i and ln(1/w_i) to a few ulp of double: for budgets, which have slack.
  double approximate(int pair) const;
  double log_inverse(int pair) const;
};

}  // namespace vernier
