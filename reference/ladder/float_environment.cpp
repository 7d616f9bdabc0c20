#include "reference/ladder/float_environment.hpp"

#include <cfenv>
#include <limits>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {

void require_ieee_arithmetic() {
  refuse_if(std::fegetround() != FE_TONEAREST,
            "floating-point environment: found a different rounding mode, expected rounding to nearest");
  // Read and written through volatile so that the processor computes, not the compiler.
  volatile double normal = std::numeric_limits<double>::min();
  volatile double half = normal * 0.5;
  if (half == 0) {  // a comparison reads subnormal numbers as products do
    throw InputError(
        "floating-point environment: found subnormal numbers taken for zero (FTZ or DAZ, as -ffast-math sets "
        "them), expected IEEE 754 arithmetic");
  }
}

}  // namespace vernier
