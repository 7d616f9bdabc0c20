#include "numerics/errors/overflow.hpp"

#include <cmath>

namespace vernier {

double rounded_with(Overflow overflow, Format format, double value) {
  return overflow == Overflow::saturate ? round_saturating(format, value) : round_to(format, value);
}

double end_of_range(Overflow overflow, Format stored) {
  const double largest = traits(stored).largest();
  return overflow == Overflow::saturate ? largest : largest + ulp_at(stored, largest) / 2;
}

double overflow_value(Overflow overflow, Format stored, double number) {
  return rounded_with(overflow, stored, 2 * number);
}

Extremity extremity_of(Overflow overflow, Format stored, double magnitude, double off) {
  if (overflow == Overflow::undeclared) {
    return Extremity::within;
  }
  const double end = end_of_range(overflow, stored);
  if (!(magnitude + off >= end)) {
    return Extremity::within;
  }
  if (magnitude - off > end) {
    return Extremity::beyond;
  }
  return overflow == Overflow::saturate ? Extremity::within : Extremity::at_its_end;
}

bool has_overflown(Overflow overflow, Format stored, double magnitude, double off, double got) {
  const auto range = extremity_of(overflow, stored, magnitude, off);
  return range == Extremity::beyond || (range == Extremity::at_its_end && !std::isfinite(got));
}

}  // namespace vernier
