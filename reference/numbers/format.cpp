#include "reference/numbers/format.hpp"

namespace vernier {
namespace {

std::uint64_t sign_bit(const FormatTraits& t) {
  return std::uint64_t{1} << (t.bits - 1);
}

}  // namespace

std::array<Format, format_table.size()> all_formats() {
  std::array<Format, format_table.size()> result{};
  std::ranges::transform(format_table, result.begin(), &FormatTraits::format);
  return result;
}

std::array<Format, 4> computing_formats() {
  return {Format::binary64, Format::binary32, Format::binary16, Format::bfloat16};
}

std::optional<Format> format_named(std::string_view name) {
  const auto* found = std::ranges::find(format_table, name, &FormatTraits::name);
  return found == format_table.end() ? std::nullopt : std::optional(found->format);
}

double round_saturating(Format format, double value) {
  const double rounded = round_to(format, value);
  return std::isfinite(value) && !std::isfinite(rounded) ? std::copysign(traits(format).largest(), value)
                                                         : rounded;
}

bool is_member(Format format, double value) {
  return std::isnan(value) || round_to(format, value) == value;
}

std::uint64_t encode_bits(Format format, double value) {
  assert(is_member(format, value));
  if (format == Format::binary64) {
    return std::bit_cast<std::uint64_t>(value);
  }
  if (format == Format::binary32 && !std::isnan(value)) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  const auto& t = traits(format);
  const std::uint64_t sign = std::signbit(value) ? sign_bit(t) : 0;
  const int fraction_bits = t.precision - 1;
  const std::uint64_t top_exponent = static_cast<std::uint64_t>(t.emax - t.emin + 2) << fraction_bits;
  if (std::isnan(value)) {
    switch (t.specials) {
      case Specials::infinities_and_nans:
        return sign | top_exponent | (std::uint64_t{1} << (fraction_bits - 1));
      case Specials::nan_of_ones:
        return sign | (sign_bit(t) - 1);
      case Specials::nan_for_negative_zero:
        return sign_bit(t);
    }
  }
  if (std::isinf(value)) {
    return sign | top_exponent;
  }
  if (value == 0) {
    return t.has_negative_zero() ? sign : 0;
  }
  const int last = detail::last_place_exponent(t, value);
  // The significand with its hidden bit, counted in last places, plus the binades below this one: the carry
  // of the hidden bit into the exponent field makes normal and subnormal numbers one formula.
  const auto significand = static_cast<std::uint64_t>(std::ldexp(std::fabs(value), -last));
  const auto binades_below = static_cast<std::uint64_t>(last - (t.emin - t.precision + 1));
  return sign | ((binades_below << fraction_bits) + significand);
}

double decode_bits(Format format, std::uint64_t bits) {
  if (format == Format::binary64) {
    return std::bit_cast<double>(bits);
  }
  if (format == Format::binary32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  const auto& t = traits(format);
  const int fraction_bits = t.precision - 1;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const int exponent = static_cast<int>((bits & (sign_bit(t) - 1)) >> fraction_bits);
  const double sign = (bits & sign_bit(t)) != 0 ? -1.0 : 1.0;
  const bool is_lone_nan = (t.specials == Specials::nan_of_ones && (~bits & (sign_bit(t) - 1)) == 0) ||
                           (t.specials == Specials::nan_for_negative_zero && bits == sign_bit(t));
  if (is_lone_nan) {
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  }
  if (t.has_infinity() && exponent == t.emax - t.emin + 2) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << fraction_bits;
  return sign * std::ldexp(static_cast<double>(fraction | hidden),
                           std::max(exponent, 1) - 1 + t.emin - fraction_bits);
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
  const bool is_least_negative = value == -traits(format).smallest();
  return is_least_negative ? round_to(format, -0.0) : decode_bits(format, value > 0 ? bits + 1 : bits - 1);
}

double next_down(Format format, double value) {
  const double result = -next_up(format, -value);
  return result == 0 ? round_to(format, result) : result;
}

}  // namespace vernier
