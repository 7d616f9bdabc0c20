#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// A number that formulas are written with: a rational times a power of pi.
struct Constant {
  Rational factor = 1;
  int power_of_pi = 0;

  bool is_one() const { return factor == 1 && power_of_pi == 0; }
  bool operator==(const Constant&) const = default;
};

Constant operator*(const Constant& a, const Constant& b);
/// \param b not zero
Constant operator/(const Constant& a, const Constant& b);

/// The value of a JSON number, of a quotient of two, or of a multiple of pi ("1/7", "2pi", "-pi/2"); nothing
/// if `text` is none.
std::optional<Constant> parse_constant(std::string_view text);
/// What parse_constant reads back. \param value a power of pi of 0 or 1
std::string to_string(const Constant& value);

/// An enclosure at the working precision.
Interval enclose(const Constant& value);
/// To a few ulp of double.
double approximately(const Constant& value);

}  // namespace vernier
