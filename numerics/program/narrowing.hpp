#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/numbers/format.hpp"

namespace vernier {

/// Rounding of a number to fewer bits than those it is computed in.
struct Narrowing {
  std::string_view name;            ///< "bfloat16", "TF32"
  Format range = Format::binary32;  ///< whose exponents it has, and whose overflow
  int bits = 0;                     ///< of the significand
  bool is_cut = false;              ///< toward zero, else to the nearest

  /// To the nearest number of a format.
  static Narrowing to_nearest(Format format);

  double operator()(double x) const;
  /// The neighbour of a rounded number on the other side of what it was. \pre they differ
  double other(double x, double rounded) const;
  /// Relative.
  double roundoff() const;
  /// Whether it gives every number of a format, so that a program may compute in it.
  bool is_of_format() const { return !is_cut && bits == traits(range).precision; }
  /// "rounded to bfloat16", "cut off to TF32"
  std::string words() const;
};

/// bfloat16, float16 and TF32, rounded and cut off: the formats that matrix units, autocast and caches use.
/// TF32 has float32's range and 11 bits (NVIDIA A100 architecture whitepaper, 2020).
std::span<const Narrowing> narrowings();

}  // namespace vernier
