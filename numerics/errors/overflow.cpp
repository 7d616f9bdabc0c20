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

Range range_of(Overflow overflow, Format stored, double magnitude, double off) {
  const double end = end_of_range(overflow, stored);
  if (overflow == Overflow::undeclared || !(magnitude + off >= end)) {
    return Range::within;
  }
  if (magnitude - off > end) {
    return Range::beyond;
  }
  return overflow == Overflow::saturate ? Range::within : Range::at_its_end;
}

bool has_overflown(Overflow overflow, Format stored, double magnitude, double off, double got) {
  const auto range = range_of(overflow, stored, magnitude, off);
  return range == Range::beyond || (range == Range::at_its_end && !std::isfinite(got));
}

}  // namespace vernier
