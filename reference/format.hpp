#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// The number formats in which encodings are computed and stored: IEEE 754 binary64, binary32, binary16, and bfloat16.
/// All are subsets of binary64, so a value of any of them travels as a double, exactly.
enum class Format { binary64, binary32, binary16, bfloat16 };

/// Parameters of a format (IEEE 754-2019, section 3.3), with the names the field's tools give it.
struct FormatTraits {
  Format format;
  std::string_view name;   ///< as tensor libraries write it: "float32"
  int precision;           ///< p, significand bits with the hidden one
  int emin;                ///< exponent of the smallest normal number
  int emax;                ///< exponent of the largest finite number
  int bits;                ///< width of the encoding

  /// u = 2^-p: half the distance from 1 to the next larger number.
  double unit_roundoff() const;
  /// The largest finite value.
  double largest() const;
  /// 2^(emin-p+1), the smallest subnormal.
  double smallest() const;
  double smallest_normal() const;
};

const FormatTraits& traits(Format format);
/// All formats, widest first.
std::array<Format, 4> all_formats();
/// The format of this name ("float64", "float32", "float16", "bfloat16").
std::optional<Format> format_named(std::string_view name);

/// `value` rounded to nearest, ties to even, in `format`: overflow gives infinity, NaN stays NaN, the sign of zero is kept.
/// One rounding only: right for any double, and for a real number only if it is exactly that double.
double round_to(Format format, double value);

/// Whether `value` is a number of the format (infinities and NaN are).
bool is_member(Format format, double value);

/// The bit pattern of a value of the format, in the low bits. \pre is_member(format, value)
std::uint64_t encode_bits(Format format, double value);
/// The value of a bit pattern of the format.
double decode_bits(Format format, std::uint64_t bits);

/// The next value of the format in the direction of plus (minus) infinity. \pre is_member(format, value), not NaN
double next_up(Format format, double value);
double next_down(Format format, double value);

/// The distance between neighbours in the binade of `magnitude`: 2^(max(e, emin) - p + 1), e = floor(log2 |magnitude|);
/// for zero the smallest subnormal. Independent of overflow. \param magnitude finite, any sign
double ulp_at(Format format, double magnitude);

}  // namespace vernier
