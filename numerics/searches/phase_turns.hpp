#pragma once

#include <cstdint>

#include "numerics/searches/octant_point.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {

/// Sine and cosine of p w for any integer p, to 2^-48: a screen between certified values, which it is far
/// quicker than.
///
/// w / 2 pi is held as a double-double f, off by 2^-106 of itself, and so p f by less than 2^-70 for |p| <=
/// 2^31. Its whole turns are dropped without error, as p f_high - rint(p f_high) is exact, and what is left
/// is turned into radians by a product and a sum that are off by 2^-51. The C library's sine and cosine are
/// taken to be good to 2^-50, four times what their documentation claims.
class PhaseTurns {
 public:
  static constexpr double error = 0x1p-48;

  /// \param frequency an enclosure of 128 bits or more
  explicit PhaseTurns(const Interval& frequency);

  /// \param position within +-2^31
  CirclePoint at(std::int64_t position) const;

 private:
  double high_;
  double low_;
};

}  // namespace vernier
