#pragma once

#include <optional>
#include <vector>

#include "reference/geometric_frequencies.hpp"
#include "reference/rope_scaling/rope_scaling.hpp"

namespace vernier {

/// The frequencies that a RoPE scaling makes of a geometric progression: each times the scaling's multiplier,
/// which may be zero.
struct ScaledFrequencies {
  GeometricFrequencies unscaled;
  RopeScaling scaling;

  int size() const { return unscaled.pairs; }
  Interval multiplier(int pair) const;
  PairTreatment treatment(int pair) const;
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  bool is_one(int pair) const { return unscaled.is_one(pair) && treatment(pair) == PairTreatment::unchanged; }
  /// w_i if it is known to be rational.
  std::optional<Rational> exact(int pair) const;
  bool operator==(const ScaledFrequencies&) const = default;
};

}  // namespace vernier
