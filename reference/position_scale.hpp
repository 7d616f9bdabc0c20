#pragma once

#include <cstdint>
#include <vector>

#include "reference/rational.hpp"
#include "reference/real.hpp"

namespace vernier {

/// What multiplies the sines and cosines of each pair where that depends on the position, as in xPos: z^((p -
/// c)/B) of queries, the reciprocal of keys.
struct PositionScale {
  std::vector<Rational> ratios;  ///< z, one a pair, > 0
  std::int64_t centre = 0;       ///< c: where nothing is scaled
  Rational base = 1;             ///< B > 0
  bool is_reciprocal = false;

  /// (p - c)/B, or (c - p)/B of the reciprocal
  Rational exponent(std::int64_t position) const;
  /// \param position within +-2^31
  Real at(std::int64_t position, int pair) const;
};

}  // namespace vernier
