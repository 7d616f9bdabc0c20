#pragma once

#include <cstdint>
#include <optional>

#include "reference/constant.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// The positions at which the phase of a pair is a multiple of a twelfth of a turn: the only ones at which
/// its sine or its cosine may be rational (Niven's theorem), and thus what no interval decides.
class RationalAngles {
 public:
  /// Of a frequency that is no rational multiple of pi: position 0 alone.
  RationalAngles() = default;
  explicit RationalAngles(const Constant& frequency);

  /// The number of twelfths of a turn, in [0, 12), that the phase is at a position, if it is a whole one.
  std::optional<int> twelfths(std::int64_t position) const {
    if (position == 0) {
      return 0;
    }
    return every_ == 0 || position % every_ != 0 ? std::nullopt : std::optional(of_multiple(position));
  }

 private:
  int of_multiple(std::int64_t position) const;

  std::int64_t every_ = 0;  ///< 0 if position 0 is the only one
  int of_first_ = 0;        ///< the twelfths at `every_`
};

/// The sine of so many twelfths of a turn where it is rational; of three more it is the cosine.
std::optional<Rational> rational_sine(int twelfths);

}  // namespace vernier
