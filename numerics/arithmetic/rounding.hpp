#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "numerics/contracts/arithmetic_stages.hpp"
#include "numerics/program/rounding.hpp"
#include "reference/numbers/format.hpp"

// Numbers of every format travel as doubles, which hold them exactly.
namespace vernier {

/// Whether two stored numbers have the same bits; any NaN is any other.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// a b + c in the format, rounded once.
double fused_in(Format format, double a, double b, double c);

/// A number as a stage stores it. \param value of float64 or float32
double stored_as(StoreMode mode, Format format, double value);

/// Rounded to TF32, to nearest.
double to_tf32(double value);

}  // namespace vernier
