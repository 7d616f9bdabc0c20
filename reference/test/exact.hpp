#pragma once

#include <cstdint>
#include <string>

#include <mpfi.h>

#include "reference/numbers/decimal.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// 2^exponent, exactly.
inline Rational power_of_two(int exponent) {
  const Rational power(boost::multiprecision::mpz_int(1)
                       << static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational(1 / power) : power;
}

inline Rational exact_value(DoubleDouble x) {
  return exact_rational(x.high) + exact_rational(x.low);
}

/// The exact values of an interval's ends.
inline Rational lower_end(const Interval& x) {
  Rational result;
  mpfr_get_q(result.backend().data(), &x.backend().data()->left);
  return result;
}
inline Rational upper_end(const Interval& x) {
  Rational result;
  mpfr_get_q(result.backend().data(), &x.backend().data()->right);
  return result;
}

inline Rational lower_end(const Enclosure& x) {
  return exact_value(x.middle) - exact_rational(x.radius);
}
inline Rational upper_end(const Enclosure& x) {
  return exact_value(x.middle) + exact_rational(x.radius);
}

inline std::string decimal(const Real& number, int places) {
  return correctly_rounded_decimal(number, places).value_or("undecided");
}

/// Whether everything in `inner` lies in `outer`; both are intervals or enclosures.
template <class Inner, class Outer>
bool lies_within(const Inner& inner, const Outer& outer) {
  return lower_end(inner) >= lower_end(outer) && upper_end(inner) <= upper_end(outer);
}

}  // namespace vernier
