#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numbers/format.hpp"

namespace vernier {

/// The most that rounding to nearest moves any number up to this magnitude; infinite if one may overflow.
///
/// Up to the power of two P below the magnitude m, half an ulp of the numbers below P; from P to m, half an
/// ulp of those above, and no more than m - P, as P is itself a number of the format. So a value that exceeds
/// P = 1 by a trifle does not cost half an ulp of 1, twice that of the numbers below.
inline double greatest_rounding(Format format, double magnitude) {
  if (!(magnitude <= traits(format).largest())) {
    return std::numeric_limits<double>::infinity();
  }
  const double above = ulp_at(format, magnitude) / 2;
  if (magnitude < traits(format).smallest_normal()) {
    return std::min(magnitude, above);
  }
  const double power = std::ldexp(1.0, std::ilogb(magnitude));
  const double below = ulp_at(format, power / 2) / 2;
  return std::max(below, std::min(magnitude - power, above));
}

}  // namespace vernier
