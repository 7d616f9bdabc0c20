#pragma once

#include <cmath>

#include "reference/enclosure.hpp"

namespace vernier {

/// x + y: the radii add, and the sum of the middles is off by 3u^2 + 13u^3 of itself (double_double.hpp).
inline Enclosure sum(const Enclosure& x, const Enclosure& y) {
  constexpr double u = 0x1p-53;
  const auto middle = x.middle + y.middle;
  return {middle, (x.radius + y.radius + 4 * u * u * std::fabs(middle.high)) * (1 + 8 * u)};
}

}  // namespace vernier
