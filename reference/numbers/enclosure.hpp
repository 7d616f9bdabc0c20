#pragma once

#include <cmath>
#include <optional>

#include "reference/numbers/double_double.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {

/// A real number known to lie within `radius` of `middle`: certified truth in a form that audits can stream.
/// About 100 correct bits, against which the error of a float64 value is known to 2^-47 of an ulp.
struct Enclosure {
  DoubleDouble middle;
  double radius = 0;  ///< >= 0; zero means the value is exactly `middle`

  /// The nearest double: for display, and for bounds with slack.
  double approximately() const { return middle.high; }
};

inline Enclosure exactly(double value) {
  return {{value, 0}, 0};
}

/// The enclosure of everything in `interval`.
Enclosure enclosure_of(const Interval& interval);

/// The interval that holds everything in `enclosure`, at the working precision (which should be 128 bits or
/// more).
Interval interval_of(const Enclosure& enclosure);

Enclosure operator-(const Enclosure& x);
/// The radii add, and the sum of the middles is off by 3u^2 + 13u^3 of itself (double_double.hpp).
inline Enclosure operator+(const Enclosure& x, const Enclosure& y) {
  constexpr double u = 0x1p-53;
  const auto middle = x.middle + y.middle;
  return {middle, (x.radius + y.radius + 4 * u * u * std::fabs(middle.high)) * (1 + 8 * u)};
}
/// Product of two enclosed numbers. \pre no underflow: |x y| = 0 or >= 2^-860 (see two_product)
Enclosure operator*(const Enclosure& x, const Enclosure& y);

/// The value of `format` nearest to the enclosed number, if all of the enclosure rounds to the same; else
/// nothing. Rounding to nearest is monotone, so agreement of the two ends is the whole proof.
std::optional<double> rounded(Format format, const Enclosure& enclosure);
std::optional<double> rounded(Format format, const Interval& interval);

}  // namespace vernier
