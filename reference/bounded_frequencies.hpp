#pragma once

#include <optional>
#include <vector>

#include "reference/constant.hpp"
#include "reference/interval.hpp"

namespace vernier {

/// Frequencies from a first to a last, both included, at even steps of their logarithm or of themselves:
/// w_j = first (last/first)^(j/(n - 1)), or first + (last - first) j/(n - 1), j = 0 .. n-1. LTX-Video's and
/// NeRF's are geometric, timm's and EVA's bands of pixels are of either kind.
struct BoundedFrequencies {
  enum class Spacing { geometric, linear };

  Constant first;  ///< > 0
  Constant last;   ///< > 0, of the power of pi that `first` has; equal to it where there is one pair
  int pairs = 1;   ///< >= 1
  Spacing spacing = Spacing::geometric;

  int size() const { return pairs; }
  /// j/(n - 1): how far a pair is from the first to the last. 0 for the only one.
  Rational share(int pair) const { return pairs == 1 ? Rational(0) : Rational(pair, pairs - 1); }
  Interval at(int pair) const;
  std::vector<Interval> enclosures() const;
  double approximate(int pair) const;
  double log_magnitude(int pair) const;
  /// Whether it is one whichever way it is computed, as only the first is: e^0, 1 + 0.
  bool is_one(int pair) const { return pair == 0 && first.is_one(); }
  /// w_j if it is known to be rational, or that times a power of pi.
  std::optional<Constant> exact(int pair) const;
  bool operator==(const BoundedFrequencies&) const = default;
};

}  // namespace vernier
