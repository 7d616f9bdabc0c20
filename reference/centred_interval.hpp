#pragma once

#include "reference/interval.hpp"

namespace vernier {

/// An interval as a point plus or minus a spread.
struct CentredInterval {
  Interval centre;  ///< one point, near the middle
  Interval spread;  ///< [-r, r] with r at least the distance from the centre to either end
};

/// The middle is rounded and then lies nearer to one end: the spread reaches the farther one on both sides,
/// as a function evaluated at the centre may rise or fall from there.
CentredInterval centred(const Interval& x);

/// [-m, m] with m the greatest magnitude in `x`.
Interval symmetric(const Interval& x);

}  // namespace vernier
