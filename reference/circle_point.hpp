#pragma once

#include <algorithm>
#include <cmath>

#include <boost/multiprecision/gmp.hpp>
#include <mpfi.h>

#include "reference/enclosure.hpp"
#include "reference/sine_cosine.hpp"

namespace vernier {

/// A point of the unit circle, e^(i x), in fixed point: many are made by multiplication from one that was
/// evaluated, at a tenth of an evaluation's price each.
///
/// Error. It is the distance to the true point, in units of 2^-fraction. Of a product of two points off by a
/// and b it is at most a + b + a b 2^-fraction, as both truths have modulus one, and the two parts that are
/// rounded down add less than sqrt 2. So it grows by addition, and stays far below 2^(fraction/2).
struct CirclePoint {
  using Integer = boost::multiprecision::mpz_int;
  static constexpr int fraction = 240;

  Integer cosine = Integer(1) << fraction;
  Integer sine = 0;
  double error = 0;  ///< zero of the point 1 alone
};

/// \param of_phase both functions of one phase, enclosed
inline CirclePoint circle_point_at(const SineCosine& of_phase) {
  CirclePoint point;
  const auto scaled_width = [](const Interval& interval, CirclePoint::Integer& lower) {
    Interval scaled = interval;
    auto* ends = scaled.backend().data();
    mpfi_mul_2si(ends, ends, CirclePoint::fraction);
    CirclePoint::Integer upper;
    mpfr_get_z(lower.backend().data(), &ends->left, MPFR_RNDD);
    mpfr_get_z(upper.backend().data(), &ends->right, MPFR_RNDU);
    return CirclePoint::Integer(upper - lower).convert_to<double>();
  };
  const double cosine = scaled_width(of_phase.cosine, point.cosine);
  const double sine = scaled_width(of_phase.sine, point.sine);
  point.error = 1.5 * std::max(cosine, sine);  // more than sqrt 2; small integers are doubles exactly
  return point;
}

inline CirclePoint operator*(const CirclePoint& a, const CirclePoint& b) {
  CirclePoint product;
  product.cosine = (a.cosine * b.cosine - a.sine * b.sine) >> CirclePoint::fraction;
  product.sine = (a.sine * b.cosine + a.cosine * b.sine) >> CirclePoint::fraction;
  const bool is_exact = a.error == 0 || b.error == 0;  // by the point 1
  product.error = a.error + b.error + (is_exact ? 0 : 2);
  return product;
}

/// One part of a point with this error.
inline Enclosure enclosure_of(const CirclePoint::Integer& part, double error) {
  // Each conversion truncates, and what two leave is less than 2^-104 of the part.
  const double first = part.convert_to<double>();
  CirclePoint::Integer rest = part - CirclePoint::Integer(first);
  const double second = rest.convert_to<double>();
  rest -= CirclePoint::Integer(second);
  const auto [high, low] = fast_two_sum(first, second);
  // Truncated and added, it is off by less than 2^-52 of itself and 2^-53 of the low part, which is 2^-53 of
  // the high.
  const double all_low = low + rest.convert_to<double>();
  const double conversion = rest == 0 ? 0 : 0x1p-105 * std::fabs(high);
  const auto in_units = [](double value) { return std::ldexp(value, -CirclePoint::fraction); };
  return {fast_two_sum(in_units(high), in_units(all_low)), in_units(error + conversion)};
}

}  // namespace vernier
