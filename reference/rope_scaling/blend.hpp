#pragma once

#include "reference/interval.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// (1 - t) + t / s: a frequency of which the share t is divided by s.
inline Interval partly_divided(const Interval& share, const Rational& factor) {
  return 1 - share * enclose(Rational(1 - 1 / factor));
}

}  // namespace vernier
