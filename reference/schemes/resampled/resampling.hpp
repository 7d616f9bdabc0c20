#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/format.hpp"
#include "reference/rational.hpp"
#include "reference/schemes/resampled/weight_errors.hpp"

namespace vernier {

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
