#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The greatest error of some float32 sine or cosine, and where it is.
struct SineError {
  double error = 0;  ///< in the unit that is said, certified
  float argument = 0;
  Component component = Component::sine;
};

/// What the float32 sines and cosines that recipes take (single_sines.hpp: the C library's, to the bit) are
/// off by, of arguments from 0 up to 2^31: all phases that positions below 2^31 have, as frequencies are no
/// more than 1. By symmetry the same of negative ones.
///
/// Truth is computed in binary64. k = rint(x 2/pi) < 2^31 and r = x - k pi/2, pi/2 in three parts, the first
/// two of 21 bits: their products with k are exact, as are the first two differences; pi/2 is off by 2^-97.
/// So r is off by 2^-53, and by nothing if k = 0, and octant_point() of it by 2^-50. The worst two are
/// then computed in intervals.
struct SingleSineErrors {
  std::uint64_t arguments = 0;  ///< that were looked at
  SineError unreduced;          ///< below pi/4, in ulp of the true value
  SineError reduced;            ///< from pi/4 on, in u = 2^-24
  /// Any argument looked at is off by no more than the greatest error and this, in the unit of either.
  static constexpr double uncertainty = 0x1p-20;

  /// Whether all are off by less than an ulp, or than an ulp of numbers next to 1 where they are reduced:
  /// half of what searches and contracts rest on.
  bool are_faithful() const { return unreduced.error + uncertainty < 1 && reduced.error + uncertainty < 1; }
};

/// Sines and cosines of several arguments, float values.
using SingleSines = std::function<void(std::span<const double> arguments, std::span<double> sines,
                                       std::span<double> cosines)>;

/// Looks at every `step`-th float from 0 on; 1: at all 1,325,400,065. \param of what is looked at
SingleSineErrors single_sine_errors(std::uint32_t step, unsigned threads, const SingleSines& of);
/// The same of the sines of recipes.
SingleSineErrors single_sine_errors(std::uint32_t step, unsigned threads);

}  // namespace vernier
