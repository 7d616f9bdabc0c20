#include <fenv.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  fesetround(FE_UPWARD);
  return honest_plugin()->table(spec, role, positions, out);
}
