#pragma once

#include <span>

#include "reference/numbers/format.hpp"

// Numbers of every format travel as doubles, which hold them exactly.
namespace vernier {

/// a b in the format, rounded once. \param a, b of the format, or of one no wider than it
inline double multiply(Format format, double a, double b) {
  // Below float64 the product is exact in float64.
  return round_to(format, a * b);
}

/// a + b in the format. The first rounding is innocuous for 16-bit and float32 numbers (53 >= 2 * 24 + 2:
/// Figueroa 1995).
inline double add(Format format, double a, double b) {
  return round_to(format, a + b);
}

/// Each number rounded, in a loop without branches.
void round_each(Format format, std::span<double> values);

}  // namespace vernier
