#pragma once

#include "reference/numbers/ieee_arithmetic.hpp"

// Error-free arithmetic for the files that are compiled once for each instruction set (kernels.cmake):
// internal linkage and builtins only, as there. For no other file.

namespace vernier {
namespace {

/// The rounding error of a product: exact, as nothing underflows (seeds are 2^-80 or more).
[[gnu::always_inline]] inline double product_error(double a, double b, double product) {
#ifdef __FMA__
  return __builtin_fma(a, b, -product);
#else
  // Dekker's product, with Veltkamp's splitting: std::fma would be a slow call.
  constexpr double splitter = 0x1p27 + 1;
  const double a_scaled = splitter * a;
  const double a_high = a_scaled - (a_scaled - a);
  const double a_low = a - a_high;
  const double b_scaled = splitter * b;
  const double b_high = b_scaled - (b_scaled - b);
  const double b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif
}

struct Sum {
  double high;
  double low;
};

/// a + b exactly (Knuth's TwoSum).
[[gnu::always_inline]] inline Sum two_sum(double a, double b) {
  const double high = a + b;
  const double b_part = high - a;
  return {high, (a - (high - b_part)) + (b - b_part)};
}

/// A1 B1 + A2 B2 in double-double, not normalised: where the products cancel, low may be the larger part. A
/// call would keep the loops from being vectorised.
[[gnu::always_inline]] inline Sum sum_of_products(double a1, double a1_low, double b1, double b1_low,
                                                  double a2, double a2_low, double b2, double b2_low) {
  const double first = a1 * b1;
  const double second = a2 * b2;
  const Sum high = two_sum(first, second);
  const double cross = (a1 * b1_low + a1_low * b1) + (a2 * b2_low + a2_low * b2);
  return {high.high, ((product_error(a1, b1, first) + product_error(a2, b2, second)) + cross) + high.low};
}

}  // namespace
}  // namespace vernier
