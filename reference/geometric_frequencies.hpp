#pragma once

#include <optional>
#include <vector>

#include "reference/interval.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// The frequencies w_i = base^(offset - i step), i = 0 .. pairs-1, of a geometric progression: the paper's
/// (step 2/d), and tensor2tensor's (step 1/(d/2 - 1)).
struct GeometricFrequencies {
  Rational base;        ///< > 1
  Rational step;        ///< negative where the frequencies ascend
  int pairs = 0;        ///< >= 1
  Rational offset = 0;  ///< zero where w_0 = 1

  int size() const { return pairs; }
  /// The power of the base that w_i is.
  Rational exponent(int pair) const { return offset - pair * step; }
  Interval at(int pair) const;
  /// Each from the one before: the i-th is about i units wider in its last place than need be, for a
  /// twentieth of the time.
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const { return exponent(pair) == 0; }
  /// w_i if it is rational.
  std::optional<Rational> exact(int pair) const;
  bool operator==(const GeometricFrequencies&) const = default;
};

}  // namespace vernier
