#include "reference/position_scale.hpp"

#include "reference/rational_power.hpp"

namespace vernier {

Rational PositionScale::exponent(std::int64_t position) const {
  return Rational(is_reciprocal ? centre - position : position - centre) / base;
}

Real PositionScale::at(std::int64_t position, int pair) const {
  return rational_power(ratios[static_cast<std::size_t>(pair)], exponent(position));
}

}  // namespace vernier
