#include "numerics/searches/phase_turns.hpp"

#include <cmath>
#include <numbers>

#include "reference/numbers/enclosure.hpp"

namespace vernier {

PhaseTurns::PhaseTurns(const Interval& frequency) {
  const auto turns = enclosure_of(Interval(frequency / (2 * pi()))).middle;
  high_ = turns.high;
  low_ = turns.low;
}

CirclePoint PhaseTurns::at(std::int64_t position) const {
  const auto p = static_cast<double>(position);
  const auto product = two_product(p, high_);
  const double turns = (product.high - std::rint(product.high)) + (product.low + p * low_);
  const double quarters = std::rint(4 * turns);
  const auto [sine, cosine] = octant_point(2 * std::numbers::pi * (turns - quarters / 4));
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace vernier
