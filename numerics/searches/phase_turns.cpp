#include "numerics/searches/phase_turns.hpp"

#include <cmath>
#include <numbers>

#include "reference/enclosure.hpp"

namespace vernier {

PhaseTurns::PhaseTurns(const Interval& frequency) {
  const auto turns = enclosure_of(Interval(frequency / (2 * pi()))).middle;
  high_ = turns.high;
  low_ = turns.low;
}

PhaseTurns::Point PhaseTurns::at(std::int64_t position) const {
  const auto p = static_cast<double>(position);
  const auto product = two_product(p, high_);
  const double turns = (product.high - std::rint(product.high)) + (product.low + p * low_);
  const double phase = 2 * std::numbers::pi * turns;
  return {std::sin(phase), std::cos(phase)};
}

}  // namespace vernier
