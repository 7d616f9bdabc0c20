#include "numerics/metrics.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

/// floor(log2 |z|) of a nonzero double-double: its high part may be the power of two that the sum falls just short of.
int binade(DoubleDouble z) {
  const int exponent = std::ilogb(z.high);
  const bool power_of_two = std::fabs(z.high) == std::ldexp(1.0, exponent);
  const bool falls_short = z.low != 0 && std::signbit(z.low) != std::signbit(z.high);
  return power_of_two && falls_short ? exponent - 1 : exponent;
}

/// The gap against which an error of this sign is measured.
double gap(const FormatTraits& t, const Enclosure& truth, double error) {
  const auto& z = truth.middle;
  if (z.high == 0) {
    return t.smallest();
  }
  const int exponent = std::max(binade(z), t.emin);
  const bool exact_power = z.low == 0 && truth.radius == 0 && std::fabs(z.high) == std::ldexp(1.0, exponent);
  const bool toward_zero = error != 0 && std::signbit(error) != std::signbit(z.high);
  const bool narrower_below = exact_power && toward_zero && exponent > t.emin;
  return std::ldexp(1.0, exponent - t.precision + (narrower_below ? 0 : 1));
}

/// The place of a value on the line of all values; -0 comes just before +0.
std::int64_t ordinal(Format format, double value) {
  const auto sign = std::uint64_t{1} << (traits(format).bits - 1);
  const auto bits = encode_bits(format, value);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
}

}  // namespace

double signed_error(double got, const Enclosure& truth) {
  if (!std::isfinite(got)) {
    return got;
  }
  const auto difference = two_sum(got, -truth.middle.high);
  return difference.high + (difference.low - truth.middle.low);
}

double signed_ulp_error(Format format, double got, const Enclosure& truth) {
  assert(is_member(format, got));
  const auto& t = traits(format);
  if (std::isnan(got)) {
    return got;
  }
  if (std::isinf(got) && format == Format::binary64) {
    return std::copysign(std::numeric_limits<double>::infinity(), got);
  }
  const double counted = std::isinf(got) ? std::copysign(std::ldexp(1.0, t.emax + 1), got) : got;
  const double error = signed_error(counted, truth);
  return error / gap(t, truth, error);
}

std::uint64_t ordinal_distance(Format format, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b) ? 0 : std::numeric_limits<std::uint64_t>::max();
  }
  const auto x = ordinal(format, a);
  const auto y = ordinal(format, b);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

double kappa(Format format, double error, double phase, double amplitude) {
  return std::fabs(error) / (traits(format).unit_roundoff() * (1 + std::fabs(phase)) * amplitude);
}

}  // namespace vernier
