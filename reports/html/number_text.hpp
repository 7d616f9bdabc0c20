#pragma once

#include <string>

namespace vernier {

/// `value` with `digits` significant digits, in the shorter of decimal and exponent notation, with a point
/// whatever the locale: "0.0123", "1.5e-09", "131072". Infinities are "∞" and "−∞", a NaN (no value) is a
/// dash.
std::string number_text(double value, int digits);

}  // namespace vernier
