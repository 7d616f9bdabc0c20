#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/numbers/format.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// A value of the kernel, and the weight that it is part of.
struct KernelValue {
  std::size_t tap = 0;
  double offset = 0;  ///< of the new place from the old one, in widths of the kernel
};

/// What a computed weight is off by: the error of the coordinate times the slope, and at most `rest`.
struct WeightError {
  double slope = 0;
  double rest = 0;

  double at_most(double of_coordinate) const { return (slope < 0 ? -slope : slope) * of_coordinate + rest; }
};

/// What a computation of the weights of one new place is off by.
struct PlaceErrors {
  double coordinate = 0;             ///< the same one for all weights, at most
  std::vector<WeightError> weights;  ///< one a tap
};

/// How the weights of a new place are computed, as far as errors need it: in double precision, as budgets
/// have slack.
struct WeightComputation {
  bool is_cubic = false;
  double a = 0;                 ///< of the cubic kernel, from -1 to 0
  bool align_corners = false;   ///< the coordinate is i step, else (i + 1/2) step - 1/2
  bool is_antialiased = false;  ///< the kernel may be wider than a place
  bool is_average = false;      ///< weights are divided by their sum
  std::optional<Format> weight_format = std::nullopt;  ///< that they are rounded to then
  double index = 0;                                    ///< i, of the new place
  double source = 0;                                   ///< the coordinate
  double width = 1;                                    ///< of the kernel, in places
  double sum = 1;                                      ///< of the kernel's values
  std::vector<double> shares = {};                     ///< the weights before they are rounded to a format
  std::vector<KernelValue> values = {};

  /// A running error analysis in a format with roundoff u: each operation rounds what it gives by u of it, at
  /// the coordinate that the place has. Covered are all of these, in any combination:
  /// - steps n/m, 1/scale, 1/(m/n), (n - 1)/(m - 1);
  /// - coordinates (i + 1/2) step - 1/2, ((i + 1/2) n)/m - 1/2, i step, and linspace from both ends;
  /// - distances |x - j|, and t, 1 - t, 1 + t, (1 - t) + 1 with t = x - floor(x); of averages j - c + 1/2
  /// with
  ///   c = (i + 1/2) step, in this order or from the first tap on, times the reciprocal of the width or
  ///   divided by it;
  /// - the linear kernel; the cubic one nested as ((a + 2) x - (a + 3)) x x + 1 and ((a x - 5a) x + 8a) x -
  /// 4a
  ///   or (((x - 5) x + 8) x - 4) a, or both in powers of x, from the highest on;
  /// - averages divided by the sum of the weights, in any order, or multiplied by its reciprocal.
  /// A multiplication that is fused with an addition rounds less.
  PlaceErrors errors(double roundoff) const;
  /// How many old places are added up at most.
  std::size_t terms() const {
    const std::size_t reached = is_cubic ? 4 : 2;
    return is_average || values.empty() ? values.size() : reached;
  }

 private:
  double coordinate_error(double roundoff) const;
  PlaceErrors before_rounding(double roundoff) const;
};

/// How a table over n places becomes one over m: what PyTorch's `interpolate` does along one axis.
struct ResamplingRule {
  enum class Mode { bilinear, bicubic };
  enum class Border { repeated, left_out };

  Mode mode = Mode::bilinear;
  Rational a = Rational(-3, 4);  ///< of the cubic kernel (R. Keys, 1981), from -1 to 0
  bool align_corners = false;    ///< the first and the last place stay where they are
  bool antialias = false;        ///< the kernel is as wide as a step, if that is more than one place
  /// What is beyond an end of a table that is not averaged: its last row, or nothing, so that the weights
  /// that are left are divided by their sum (jax.image.resize).
  Border border = Border::repeated;
  std::optional<Format> weight_format = std::nullopt;  ///< that the weights are rounded to

  bool is_average() const { return antialias || border == Border::left_out; }
};

/// A place that a new one is made of, and its share.
struct ResamplingTap {
  std::int64_t place = 0;
  Rational weight;
  double share = 0;  ///< the weight in double precision
};

/// What one new place is made of.
struct ResampledPlace {
  /// In order: all that have a share, or get one by rounding. At different places, unless weights are
  /// rounded, each by itself.
  std::vector<ResamplingTap> taps;
  WeightComputation computation = {};
};

/// All new places. \param from, to numbers of places, at least 1 \param scale_factor of the coordinates,
/// where it is not to/from \pre not both align_corners and antialias, nor either with a scale_factor and
/// align_corners
std::vector<ResampledPlace> resampled_places(const ResamplingRule& rule, std::int64_t from, std::int64_t to,
                                             const std::optional<Rational>& scale_factor);

}  // namespace vernier
