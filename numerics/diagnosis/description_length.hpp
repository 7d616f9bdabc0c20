#pragma once

namespace vernier {

/// \name Description lengths, in bits
/// @{
inline constexpr double flag_bits = 3;        ///< one thing that is otherwise
inline constexpr double enumerated_bits = 5;  ///< one of some variants
inline constexpr double listed_bits = 8;      ///< with a number that is usual
inline constexpr double real_bits = 30;       ///< a measured number
inline constexpr double damaged_bits = 12;    ///< an element, row or column
/// Of a decimal number of so many digits, 3.3 bits each.
double decimal_bits(double value);
/// @}

}  // namespace vernier
