#pragma once

#include "reference/interval.hpp"
#include "reference/rational.hpp"
#include "reference/rope_scaling/band.hpp"

namespace vernier {

/// (1 - t) + t / s: a frequency of which the share t is divided by s.
inline Interval partly_divided(const Interval& share, const Rational& factor) {
  return 1 - share * enclose(Rational(1 - 1 / factor));
}

/// The share of a frequency that is divided: 0 and 1 exactly in the outer bands, and what `blended` encloses
/// between them.
template <class Blended>
Interval share_in(Band band, Blended blended) {
  switch (band) {
    case Band::unchanged:
      return enclose(std::int64_t{0});
    case Band::divided:
      return enclose(std::int64_t{1});
    case Band::blended:
      break;
  }
  return blended();
}

}  // namespace vernier
