#include "numerics/errors/metrics.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

bool is_power_of_two(double value) {
  return (std::bit_cast<std::uint64_t>(value) & 0xfffffffffffff) == 0;
}

/// The gap against which an error of this sign is measured.
double gap(Format format, const Enclosure& truth, double error) {
  const auto& z = truth.middle;
  const double at_high = ulp_at(format, z.high);
  if (z.high == 0 || !is_power_of_two(z.high) || at_high == traits(format).smallest()) {
    return at_high;
  }
  // The truth may fall just short of the power of two that its high part is, and then lies in the binade
  // below; if it is that power, the gap below is the narrower one too.
  const bool falls_short = z.low != 0 && std::signbit(z.low) != std::signbit(z.high);
  const bool exact = z.low == 0 && truth.radius == 0;
  const bool toward_zero = error != 0 && std::signbit(error) != std::signbit(z.high);
  return falls_short || (exact && toward_zero) ? at_high / 2 : at_high;
}

/// The place of a value on the line of all values; -0, where there is one, comes just before +0.
std::int64_t ordinal(Format format, double value) {
  const auto sign = std::uint64_t{1} << (traits(format).bits - 1);
  const auto bits = encode_bits(format, value);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  const int negative_zero = traits(format).has_negative_zero() ? 1 : 0;
  return (bits & sign) != 0 ? -magnitude - negative_zero : magnitude;
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
  return error / gap(format, truth, error);
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

double phase_roundings(Format format, double error, double phase, double amplitude) {
  return std::fabs(error) / (traits(format).unit_roundoff() * (1 + std::fabs(phase)) * amplitude);
}

}  // namespace vernier
