#pragma once

#include <string>

namespace vernier {

/// `value` with `digits` significant digits, in the shorter of decimal and exponent notation, with a point
/// whatever the locale: "0.0123", "1.5e-09", "131072". Infinities are "∞" and "−∞", a NaN (no value) is a
/// dash.
std::string number_text(double value, int digits);

/// `value` as people read it: three significant digits, or all of an integer, in groups of three from 10 000
/// on: "0.0123", "1.5e-9", "131 072". The space is a narrow one that does not break.
std::string readable_number(double value);

/// `value` with so many decimals, grouped as by readable_number(); a minus is "−".
std::string axis_number(double value, int decimals);

}  // namespace vernier
