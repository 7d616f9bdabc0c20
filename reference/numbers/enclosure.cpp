#include "reference/numbers/enclosure.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <mpfi.h>

namespace vernier {
namespace {

constexpr double unit_roundoff = 0x1p-53;  ///< u

/// A little more than `bound`, to cover the roundings made while computing it (fewer than 8, each u
/// relative).
double with_slack(double bound) {
  return bound * (1 + 8 * unit_roundoff);
}

bool is_one(const Enclosure& x) {
  return x.middle.high == 1 && x.middle.low == 0 && x.radius == 0;
}

/// RN_format(x.high + x.low), the sum taken as a real number. Going through binary64 would round twice;
/// rounding to odd first does not (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums",
/// IEEE TC 57(4), 2008), as every narrower format here, subnormals included, has at least two bits fewer than
/// binary64.
double round_sum(Format format, DoubleDouble x) {
  const auto sum = two_sum(x.high, x.low);
  if (sum.high == 0) {
    return 0;  // the real number zero has no sign, though both parts may be -0
  }
  if (format == Format::binary64 || sum.low == 0 || !std::isfinite(sum.high)) {
    return round_to(format, sum.high);
  }
  const bool even = (std::bit_cast<std::uint64_t>(sum.high) & 1) == 0;
  const double toward =
      sum.low > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  return round_to(format, even ? std::nextafter(sum.high, toward) : sum.high);
}

/// RN_format of one arbitrary-precision number: scaled so that the last place is the unit, rounded to an
/// integer, scaled back. Both scalings are exact; subnormals need no special case as the last place stops
/// shrinking at emin.
double round_number(Format format, const mpfr_t value) {
  if (mpfr_zero_p(value) != 0) {
    return 0;  // a real number has no sign at zero, whatever sign the interval arithmetic left on its end
  }
  if (mpfr_number_p(value) == 0) {
    return mpfr_get_d(value, MPFR_RNDN);
  }
  const auto& t = traits(format);
  const long exponent = mpfr_get_exp(value) - 1;
  if (exponent > t.emax) {
    return std::copysign(detail::overflown(t), mpfr_sgn(value));
  }
  const long last = std::max<long>(exponent, t.emin) - t.precision + 1;
  mpfr_t scaled;
  mpfr_init2(scaled, std::max<mpfr_prec_t>(mpfr_get_prec(value), 64));
  mpfr_mul_2si(scaled, value, -last, MPFR_RNDN);
  mpfr_roundeven(scaled, scaled);
  const double result = std::ldexp(mpfr_get_d(scaled, MPFR_RNDN), static_cast<int>(last));
  mpfr_clear(scaled);
  return detail::with_sign(t, std::fabs(result) > t.largest() ? detail::overflown(t) : std::fabs(result),
                           result);
}

/// Same number and same sign of zero; NaN is what overflows a format without infinities.
bool identical(double a, double b) {
  return (a == b || (std::isnan(a) && std::isnan(b))) && std::signbit(a) == std::signbit(b);
}

}  // namespace

Enclosure enclosure_of(const Interval& interval) {
  const auto* ends = interval.backend().data();
  mpfr_t rest;
  mpfr_init2(rest, std::max<mpfr_prec_t>(2 * mpfi_get_prec(ends), 256));
  Enclosure result;
  result.middle.high = mpfi_get_d(ends);
  // What is left of each end after the high part, then after the low part; the larger one is the radius.
  const auto distance = [&](const mpfr_t end, mpfr_rnd_t outward) {
    mpfr_sub_d(rest, end, result.middle.high, outward);
    mpfr_sub_d(rest, rest, result.middle.low, outward);
    return std::fabs(mpfr_get_d(rest, outward));
  };
  mpfr_set(rest, &ends->left, MPFR_RNDN);
  mpfr_add(rest, rest, &ends->right, MPFR_RNDN);
  mpfr_div_2ui(rest, rest, 1, MPFR_RNDN);
  mpfr_sub_d(rest, rest, result.middle.high, MPFR_RNDN);
  result.middle.low = mpfr_get_d(rest, MPFR_RNDN);
  result.radius = std::max(distance(&ends->left, MPFR_RNDD), distance(&ends->right, MPFR_RNDU));
  mpfr_clear(rest);
  return result;
}

Interval interval_of(const Enclosure& enclosure) {
  return enclose(enclosure.middle.high) + enclose(enclosure.middle.low) +
         hull(-enclosure.radius, enclosure.radius);
}

Enclosure operator-(const Enclosure& x) {
  return {-x.middle, x.radius};
}

Enclosure operator*(const Enclosure& x, const Enclosure& y) {
  if (is_one(x) || is_one(y)) {
    return is_one(x) ? y : x;  // so that the amplitude, which cos 0 is, stays exact
  }
  const auto product = x.middle * y.middle;
  const double magnitude = std::fabs(product.high);
  // |xy - x'y'| <= |x'| ry + |y'| rx + rx ry, plus the 5u^2 of the product itself; |middle| <= |high| (1 +
  // u).
  const double spread =
      std::fabs(x.middle.high) * y.radius + std::fabs(y.middle.high) * x.radius + x.radius * y.radius;
  return {product, with_slack(spread + 6 * unit_roundoff * unit_roundoff * magnitude)};
}

std::optional<double> rounded(Format format, const Enclosure& enclosure) {
  const auto& [middle, radius] = enclosure;
  if (std::isnan(middle.high) || std::isnan(middle.low) || std::isnan(radius)) {
    return std::nullopt;
  }
  if (radius == 0) {
    return round_sum(format, middle);
  }
  // Nearly every value is decided by its high part alone, widened by more than low and radius together.
  if (format != Format::binary64) {
    const double width = 4 * unit_roundoff * std::fabs(middle.high) + radius;
    const double low_end = round_to(format, middle.high - width);
    if (low_end == round_to(format, middle.high + width) && low_end != 0) {
      return low_end;
    }
  }
  // low +- radius is itself rounded: by at most u |low +- radius| <= u (|low| + radius), added before.
  const double reach = with_slack(radius + 2 * unit_roundoff * (std::fabs(middle.low) + radius));
  const double below = round_sum(format, {middle.high, middle.low - reach});
  const double above = round_sum(format, {middle.high, middle.low + reach});
  return identical(below, above) ? std::optional(below) : std::nullopt;
}

std::optional<double> rounded(Format format, const Interval& interval) {
  const auto* ends = interval.backend().data();
  if (mpfi_nan_p(ends) != 0) {
    return std::nullopt;
  }
  const double below = round_number(format, &ends->left);
  const double above = round_number(format, &ends->right);
  return identical(below, above) ? std::optional(below) : std::nullopt;
}

}  // namespace vernier
