// Proves by all pairs of magnitudes that a product of two numbers of a 16-bit format is exact in float32: of float16 always, of
// bfloat16 unless it overflows or falls below 2^-126. Prints the counts; fails where another product is inexact.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float numbers[1 << 15];

static float of_float16(uint32_t bits) {
  const int exponent = (int)(bits >> 10);
  const float fraction = (float)(bits & 1023);
  return exponent == 0 ? ldexpf(fraction, -24) : ldexpf(1024 + fraction, exponent - 25);
}

static float of_bfloat16(uint32_t bits) {
  float result;
  bits <<= 16;
  memcpy(&result, &bits, sizeof result);
  return result;
}

static int prove(const char* name, float (*of)(uint32_t), uint32_t count) {
  uint64_t overflows = 0, below = 0, inexact = 0;
  for (uint32_t i = 0; i < count; ++i) numbers[i] = of(i);
  for (uint32_t i = 0; i < count; ++i) {
    const double a = numbers[i];
    uint64_t row_overflows = 0, row_below = 0, row_inexact = 0;
    for (uint32_t j = 0; j < count; ++j) {
      const double product = a * (double)numbers[j];  // exact: 22 or 16 bits
      const float single = (float)product;
      const int differs = (double)single != product;
      row_overflows += product > 0x1.fffffep127;
      row_below += differs & (product < 0x1p-126);
      row_inexact += differs & (product >= 0x1p-126) & (product <= 0x1.fffffep127);
    }
    overflows += row_overflows, below += row_below, inexact += row_inexact;
  }
  printf("%s: %llu pairs, %llu overflow, %llu inexact below 2^-126, %llu others inexact\n", name,
         (unsigned long long)count * count, (unsigned long long)overflows, (unsigned long long)below, (unsigned long long)inexact);
  return inexact != 0;
}

int main(void) {
  return prove("float16", of_float16, 31 << 10) | prove("bfloat16", of_bfloat16, 255 << 7);
}
