#include "reference/numbers/double_double.hpp"
#include "reference/numbers/format.hpp"

namespace {

/// A sum of a product is that of the rounded product, and what its rounding loses is known: not so where the
/// compiler computes a * a + b in one fused operation.
bool sums_are_exact() {
  for (int i = 1; i <= 1000; ++i) {
    const double a = 1 + i * 0x1p-30;
    const double b = 1.0 / i;
    const volatile double apart = a;
    const volatile double product = apart * apart;
    const auto expected = vernier::two_sum(product, b);
    const auto sum = vernier::two_sum(a * a, b);
    if (sum.high != expected.high || sum.low != expected.low) {
      return false;
    }
  }
  return true;
}

}  // namespace

/// One tenth is rounded up in bfloat16, which has 8 significant bits: to 205 * 2^-11.
int main() {
  return vernier::round_to(vernier::Format::bfloat16, 0.1) == 205 / 2048.0 && sums_are_exact() ? 0 : 1;
}
