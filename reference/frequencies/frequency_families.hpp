#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "reference/numbers/constant.hpp"
#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

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
  double approximate(int pair) const;
  /// Whether it is one whichever way it is computed, as only the first is: e^0, 1 + 0.
  bool is_one(int pair) const { return pair == 0 && first.is_one(); }
  /// w_j if it is known to be rational, or that times a power of pi.
  std::optional<Constant> exact(int pair) const;
  bool operator==(const BoundedFrequencies&) const = default;
};

/// Frequencies that a spec lists one by one.
struct ListedFrequencies {
  std::vector<Rational> values;  ///< at least one; learned ones may be 0 or less

  int size() const { return static_cast<int>(values.size()); }
  const Rational& value(int pair) const { return values[static_cast<std::size_t>(pair)]; }
  Interval at(int pair) const;
  double approximate(int pair) const { return std::fabs(approximately(value(pair))); }
  bool is_one(int pair) const { return value(pair) == 1; }
  std::optional<Rational> exact(int pair) const { return value(pair); }
  bool operator==(const ListedFrequencies&) const = default;
};

/// The frequencies w_i = (i/pairs)^exponent, i = 0 .. pairs-1: samples of t^exponent on [0, 1). w_0 = 0.
struct PowerFrequencies {
  Rational exponent;  ///< > 0
  int pairs = 0;      ///< >= 1

  int size() const { return pairs; }
  Interval at(int pair) const;
  double approximate(int pair) const { return pair == 0 ? 0 : std::exp(-log_magnitude(pair)); }
  double log_magnitude(int pair) const {
    return pair == 0 ? std::numeric_limits<double>::infinity()
                     : -approximately(exponent) * std::log(static_cast<double>(pair) / pairs);
  }
  bool is_one(int) const { return false; }
  /// w_i if it is known to be rational.
  std::optional<Rational> exact(int pair) const {
    return pair == 0 ? std::optional(Rational(0)) : std::nullopt;
  }
  bool operator==(const PowerFrequencies&) const = default;
};

}  // namespace vernier
