#include "reference/format.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

constexpr std::array<FormatTraits, 4> table{{
    {Format::binary64, "float64", 53, -1022, 1023, 64},
    {Format::binary32, "float32", 24, -126, 127, 32},
    {Format::binary16, "float16", 11, -14, 15, 16},
    {Format::bfloat16, "bfloat16", 8, -126, 127, 16},
}};

/// floor(log2 |value|) from the bits; for zero and binary64's subnormals any number below -1022.
int exponent_of(double value) {
  return static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff) - 1023;
}

/// 2^exponent. \param exponent of a normal number
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The exponent of the last place at `magnitude` != 0 if the exponent range had no upper end.
int last_place_exponent(const FormatTraits& t, double magnitude) {
  return std::max(exponent_of(magnitude), t.emin) - t.precision + 1;
}

/// Maps the bit patterns of a format to integers in the order of the values they stand for.
std::uint64_t sign_bit(const FormatTraits& t) { return std::uint64_t{1} << (t.bits - 1); }

}  // namespace

double FormatTraits::unit_roundoff() const { return power_of_two(-precision); }
double FormatTraits::largest() const { return (2.0 - power_of_two(1 - precision)) * power_of_two(emax); }
double FormatTraits::smallest() const { return std::ldexp(1.0, emin - precision + 1); }
double FormatTraits::smallest_normal() const { return power_of_two(emin); }

const FormatTraits& traits(Format format) { return table[static_cast<std::size_t>(format)]; }

std::array<Format, 4> all_formats() {
  return {Format::binary64, Format::binary32, Format::binary16, Format::bfloat16};
}

std::optional<Format> format_named(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &FormatTraits::name);
  return found == table.end() ? std::nullopt : std::optional(found->format);
}

double round_to(Format format, double value) {
  if (format == Format::binary64 || value == 0 || !std::isfinite(value)) {
    return value;
  }
  if (format == Format::binary32) {
    return static_cast<double>(static_cast<float>(value));
  }
  // Adding 1.5 * 2^52 last places leaves a sum whose own last place is that of the format: the addition rounds, to nearest
  // and ties to even, and the subtraction is exact.
  const auto& t = traits(format);
  const double shift = 1.5 * power_of_two(last_place_exponent(t, value) + 52);
  const double rounded = (value + shift) - shift;
  return std::copysign(std::fabs(rounded) > t.largest() ? std::numeric_limits<double>::infinity() : rounded, value);
}

bool is_member(Format format, double value) { return std::isnan(value) || round_to(format, value) == value; }

std::uint64_t encode_bits(Format format, double value) {
  assert(is_member(format, value));
  if (format == Format::binary64) {
    return std::bit_cast<std::uint64_t>(value);
  }
  const auto& t = traits(format);
  const std::uint64_t sign = std::signbit(value) ? sign_bit(t) : 0;
  const int fraction_bits = t.precision - 1;
  const std::uint64_t top_exponent = static_cast<std::uint64_t>(t.emax - t.emin + 2) << fraction_bits;
  if (std::isnan(value)) {
    return sign | top_exponent | (std::uint64_t{1} << (fraction_bits - 1));
  }
  if (std::isinf(value)) {
    return sign | top_exponent;
  }
  if (value == 0) {
    return sign;
  }
  const int last = last_place_exponent(t, value);
  // The significand with its hidden bit, counted in last places, plus the binades below this one: the carry of the hidden
  // bit into the exponent field makes normal and subnormal numbers one formula.
  const auto significand = static_cast<std::uint64_t>(std::ldexp(std::fabs(value), -last));
  const auto binades_below = static_cast<std::uint64_t>(last - (t.emin - t.precision + 1));
  return sign | ((binades_below << fraction_bits) + significand);
}

double decode_bits(Format format, std::uint64_t bits) {
  if (format == Format::binary64) {
    return std::bit_cast<double>(bits);
  }
  const auto& t = traits(format);
  const int fraction_bits = t.precision - 1;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const int exponent = static_cast<int>((bits & (sign_bit(t) - 1)) >> fraction_bits);
  const double sign = (bits & sign_bit(t)) != 0 ? -1.0 : 1.0;
  if (exponent == t.emax - t.emin + 2) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << fraction_bits;
  return sign * std::ldexp(static_cast<double>(fraction | hidden), std::max(exponent, 1) - 1 + t.emin - fraction_bits);
}

double next_up(Format format, double value) {
  assert(is_member(format, value) && !std::isnan(value));
  if (value == 0) {
    return traits(format).smallest();
  }
  const std::uint64_t bits = encode_bits(format, value);
  if (value == std::numeric_limits<double>::infinity()) {
    return value;
  }
  return decode_bits(format, value > 0 ? bits + 1 : bits - 1);
}

double next_down(Format format, double value) { return -next_up(format, -value); }

double ulp_at(Format format, double magnitude) {
  assert(std::isfinite(magnitude));
  const auto& t = traits(format);
  const int last = magnitude == 0 ? t.emin - t.precision + 1 : last_place_exponent(t, magnitude);
  return last < -1022 ? std::ldexp(1.0, last) : power_of_two(last);
}

}  // namespace vernier
