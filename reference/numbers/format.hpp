#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "reference/numbers/ieee_arithmetic.hpp"

namespace vernier {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The number formats in which encodings are computed and stored: IEEE 754 binary64, binary32, binary16, and
/// bfloat16; and the four of eight bits, which are only stored. All are subsets of binary64, so a value of
/// any of them travels as a double, exactly.
enum class Format {
  binary64,
  binary32,
  binary16,
  bfloat16,
  float8_e4m3fn,
  float8_e5m2,
  float8_e4m3fnuz,
  float8_e5m2fnuz
};

/// The bit patterns of a format that are no finite numbers.
enum class Specials {
  infinities_and_nans,   ///< as in IEEE 754: those of the topmost exponent
  nan_of_ones,           ///< "fn": no infinity; exponent and fraction all ones are NaN
  nan_for_negative_zero  ///< "fnuz": no infinity and no -0, whose pattern is the only NaN
};

/// Parameters of a format (IEEE 754-2019, section 3.3), with the names the field's tools give it.
struct FormatTraits {
  Format format;
  std::string_view name;  ///< as tensor libraries write it: "float32"
  int precision;          ///< p, significand bits with the hidden one
  int emin;               ///< exponent of the smallest normal number
  int emax;               ///< exponent of the largest finite number
  int bits;               ///< width of the encoding
  Specials specials = Specials::infinities_and_nans;

  constexpr bool has_infinity() const { return specials == Specials::infinities_and_nans; }
  constexpr bool has_negative_zero() const { return specials != Specials::nan_for_negative_zero; }
  /// Whether nothing is computed in it: it holds what was computed in another.
  constexpr bool is_storage_only() const { return bits < 16; }
  /// u = 2^-p: half the distance from 1 to the next larger number.
  double unit_roundoff() const;
  /// The largest finite value.
  double largest() const;
  /// 2^(emin-p+1), the smallest subnormal.
  double smallest() const;
  double smallest_normal() const;
};

inline constexpr std::array<FormatTraits, 8> format_table{{
    {Format::binary64, "float64", 53, -1022, 1023, 64},
    {Format::binary32, "float32", 24, -126, 127, 32},
    {Format::binary16, "float16", 11, -14, 15, 16},
    {Format::bfloat16, "bfloat16", 8, -126, 127, 16},
    {Format::float8_e4m3fn, "float8_e4m3fn", 4, -6, 8, 8, Specials::nan_of_ones},
    {Format::float8_e5m2, "float8_e5m2", 3, -14, 15, 8},
    {Format::float8_e4m3fnuz, "float8_e4m3fnuz", 4, -7, 7, 8, Specials::nan_for_negative_zero},
    {Format::float8_e5m2fnuz, "float8_e5m2fnuz", 3, -15, 15, 8, Specials::nan_for_negative_zero},
}};

constexpr const FormatTraits& traits(Format format) {
  return format_table[static_cast<std::size_t>(format)];
}
/// All formats, widest first.
std::array<Format, format_table.size()> all_formats();
/// Those that encodings are computed in, widest first.
std::array<Format, 4> computing_formats();
/// The format of this name: "float64", "bfloat16", "float8_e4m3fn".
std::optional<Format> format_named(std::string_view name);

/// What becomes of a number beyond the greatest of a format.
enum class Overflow {
  undeclared,  ///< nobody says: it is a fault
  saturate,    ///< the greatest of its sign
  nan,
  infinite
};

/// `value` rounded to nearest, ties to even, in `format`: overflow gives infinity, or NaN where the format
/// has none, NaN stays NaN, the sign of zero is kept where the format has it. One rounding only: right for
/// any double, and for a real number only if it is exactly that double.
double round_to(Format format, double value);

/// The same, but finite numbers beyond the largest become the largest, as in conversions that saturate.
/// Infinity and NaN are as above.
double round_saturating(Format format, double value);

/// Whether `value` is a number of the format (NaN is, and infinities where the format has them).
bool is_member(Format format, double value);

/// The bit pattern of a value of the format, in the low bits. \pre is_member(format, value)
std::uint64_t encode_bits(Format format, double value);
/// The value of a bit pattern of the format.
double decode_bits(Format format, std::uint64_t bits);

/// The next value of the format in the direction of plus (minus) infinity; NaN beyond the largest number of a
/// format without infinities. \pre is_member(format, value), not NaN
double next_up(Format format, double value);
double next_down(Format format, double value);

/// The distance between neighbours in the binade of `magnitude`: 2^(max(e, emin) - p + 1), e = floor(log2
/// |magnitude|); for zero the smallest subnormal. Independent of overflow. \param magnitude finite, any sign
double ulp_at(Format format, double magnitude);

// Audits round and measure a billion elements a minute, so what they call for each is defined here.
namespace detail {

/// floor(log2 |value|) from the bits; for zero and binary64's subnormals a number below -1022.
inline int exponent_of(double value) {
  return static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff) - 1023;
}

/// 2^exponent. \param exponent of a normal binary64 number
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// The exponent of the last place at `magnitude` != 0 if the exponent range had no upper end.
inline int last_place_exponent(const FormatTraits& t, double magnitude) {
  return std::max(exponent_of(magnitude), t.emin) - t.precision + 1;
}

}  // namespace detail

inline double FormatTraits::unit_roundoff() const {
  return detail::power_of_two(-precision);
}
inline double FormatTraits::largest() const {
  // All ones are a number only if they are no NaN.
  const int lost = specials == Specials::nan_of_ones ? 2 : 1;
  return (2.0 - detail::power_of_two(lost - precision)) * detail::power_of_two(emax);
}
inline double FormatTraits::smallest() const {
  return std::ldexp(1.0, emin - precision + 1);
}
inline double FormatTraits::smallest_normal() const {
  return detail::power_of_two(emin);
}

namespace detail {

/// What a magnitude beyond the largest number becomes.
constexpr double overflown(const FormatTraits& t) {
  return t.has_infinity() ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
}

/// A rounded magnitude with the sign of what was rounded, as far as the format has it.
inline double with_sign(const FormatTraits& t, double magnitude, double value) {
  return magnitude == 0 && !t.has_negative_zero() ? 0 : std::copysign(magnitude, value);
}

/// round_to for the formats of 16 and 8 bits.
///
/// Adding a shift of 1.5 * 2^52 last places leaves a sum whose own last place is that of the format: the
/// addition rounds, to nearest and ties to even, and the subtraction is exact. Magnitudes below the normal
/// range share its last place; those above the range, whatever the shift leaves of them, stay above it. NaN
/// and infinity pass through.
template <Format format>
double round_by_shift(double value) {
  constexpr const FormatTraits& t = traits(format);
  constexpr double least = power_of_two(t.emin);
  constexpr double limit = power_of_two(t.emax + 1);
  constexpr std::uint64_t exponent_bits = std::uint64_t{0x7ff} << 52;
  const double magnitude = std::fabs(value);
  const double normal = magnitude > least ? magnitude : least;
  const double within = normal < limit ? normal : limit;
  const double binade = std::bit_cast<double>(std::bit_cast<std::uint64_t>(within) & exponent_bits);
  const double shift = binade * (1.5 * power_of_two(52 - t.precision + 1));
  const double rounded = (magnitude + shift) - shift;
  return with_sign(t, rounded > t.largest() ? overflown(t) : rounded, value);
}

}  // namespace detail

inline double round_to(Format format, double value) {
  switch (format) {
    case Format::binary32:
      return static_cast<double>(static_cast<float>(value));
    case Format::binary16:
      return detail::round_by_shift<Format::binary16>(value);
    case Format::bfloat16:
      return detail::round_by_shift<Format::bfloat16>(value);
    case Format::float8_e4m3fn:
      return detail::round_by_shift<Format::float8_e4m3fn>(value);
    case Format::float8_e5m2:
      return detail::round_by_shift<Format::float8_e5m2>(value);
    case Format::float8_e4m3fnuz:
      return detail::round_by_shift<Format::float8_e4m3fnuz>(value);
    case Format::float8_e5m2fnuz:
      return detail::round_by_shift<Format::float8_e5m2fnuz>(value);
    case Format::binary64:
      break;
  }
  return value;
}

inline double ulp_at(Format format, double magnitude) {
  assert(std::isfinite(magnitude));
  const auto& t = traits(format);
  const int last = magnitude == 0 ? t.emin - t.precision + 1 : detail::last_place_exponent(t, magnitude);
  return last < -1022 ? std::ldexp(1.0, last) : detail::power_of_two(last);
}

}  // namespace vernier
