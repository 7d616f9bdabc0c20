#pragma once

#include <cmath>

#include "reference/numbers/ieee_arithmetic.hpp"

namespace vernier {

/// The unevaluated sum high + low of two doubles, high the sum rounded to nearest: about 106 bits.
///
/// Error bounds, u = 2^-53, from M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for
/// basic building blocks of double-word arithmetic", ACM TOMS 44(2), 2017; of the product as proved anew in
/// J.-M. Muller, L. Rideau, "Formalization of double-word arithmetic", ACM TOMS 48(1), 2022. They need
/// round-to-nearest, no contraction and no underflow.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b exactly. \pre |a| >= |b| or a = 0 (Dekker's Fast2Sum)
inline DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly (Knuth's TwoSum).
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a * b exactly if it does not underflow: |a b| = 0 or |a b| >= 2^-968.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// AccurateDWPlusDW: relative error at most 3u^2 + 13u^3 (theorem 3.1).
inline DoubleDouble operator+(DoubleDouble x, DoubleDouble y) {
  const auto high = two_sum(x.high, y.high);
  const auto low = two_sum(x.low, y.low);
  const auto sum = fast_two_sum(high.high, high.low + low.high);
  return fast_two_sum(sum.high, low.low + sum.low);
}

inline DoubleDouble operator-(DoubleDouble x) {
  return {-x.high, -x.low};
}
inline DoubleDouble operator-(DoubleDouble x, DoubleDouble y) {
  return x + -y;
}

/// DWTimesDW1: relative error at most 5u^2 (Muller and Rideau).
inline DoubleDouble operator*(DoubleDouble x, DoubleDouble y) {
  const auto product = two_product(x.high, y.high);
  const double cross = x.high * y.low + x.low * y.high;
  return fast_two_sum(product.high, product.low + cross);
}

}  // namespace vernier
