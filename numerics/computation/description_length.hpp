#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerics/computation/finding.hpp"

namespace vernier {

/// \name What an edit takes to describe, in bits
/// @{
inline constexpr double flag_bits = 2.5;
inline constexpr double variant_bits = 5;   ///< one of a few that have a name
inline constexpr double listed_bits = 8;    ///< one of a list of parameters
inline constexpr double damaged_bits = 12;  ///< where an element, or a row, was overwritten
inline constexpr double equally_likely_bits = 3;
inline constexpr double real_bits = 30;  ///< a measured number
/// A decimal of so many digits.
double decimal_bits(int digits);
/// A decimal number, by the digits that it has, up to twelve.
double number_bits(double value);
/// A whole number: the digits that it has, the zeros at its end not counted.
double integer_bits(std::int64_t value);
/// @}

/// A number as short as the tolerance allows: 10001 for 10001.0003 within 1e-7. \return nothing where it
/// would take more than `most_digits`
std::optional<double> shortest_decimal(double value, double relative_tolerance, int most_digits = 9);
/// A number in few digits, as a candidate for one that was measured.
struct ShortDecimal {
  std::string text;
  double value;
  int digits;
};
/// The number rounded to 1, 2 ... digits, each once. \param value finite, not zero
std::vector<ShortDecimal> short_decimals(double value, int most_digits);
/// A number as sentences have it: six digits at most.
std::string in_sentence(double value);

/// Sorts them, the likeliest first, and leaves those that are as likely as the first; of those that say the
/// same, one.
void keep_likeliest(std::vector<Explanation>& explanations);

}  // namespace vernier
