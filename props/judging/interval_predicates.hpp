#pragma once

#include <string>
#include <string_view>

#include "reference/numbers/interval.hpp"

namespace vernier {

// What enclosures say for certain: false means that they do not tell.

/// Every number in `a` is below every number in `b`.
bool certainly_less(const Interval& a, const Interval& b);
/// No number is in both.
bool certainly_different(const Interval& a, const Interval& b);
/// Everything in `value` is within half a unit of the decimal's last digit: the number, whatever it is,
/// rounds to it. \param decimal "249.102097827"
bool rounds_to_decimal(const Interval& value, std::string_view decimal);

/// The number in as many significant digits as are wanted, or as the enclosure proves if those are fewer: the
/// last one shown may be off by one unit. "2.49e+02" notation only beyond 10^15 and below 10^-4.
std::string digits(const Interval& value, int significant);

}  // namespace vernier
