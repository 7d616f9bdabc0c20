#pragma once

#include <concepts>
#include <string>

namespace vernier {

/// `value` with `digits` significant digits, in the shorter of decimal and exponent notation, with a point
/// whatever the locale: "0.0123", "1.5e-09", "131072". Infinities are "∞" and "−∞", a NaN (no value) is a
/// dash.
std::string number_text(double value, int digits);

/// `value` as people read it: three significant digits, or all of an integer, grouped:
/// "0.0123", "1.5e-9", "131 072".
std::string readable_number(double value);

/// `value` with so many decimals, grouped; a minus is "−".
std::string axis_number(double value, int decimals);

/// Decimal digits in groups of three before the point, from five of them on: "9999", "1 048 576.5". The
/// spaces are narrow, and no line breaks at them.
std::string grouped_digits(std::string digits);

/// A count, its digits grouped: "9999", "1 048 576".
std::string count_text(std::integral auto count) {
  return grouped_digits(std::to_string(count));
}

/// A measurement in three significant digits, for people: "0.00772", "1540", "2.52 × 10¹⁰", "2.98 × 10⁻⁸".
/// Infinities and what is no number as number_text() has them.
std::string measure_text(double value);

}  // namespace vernier
