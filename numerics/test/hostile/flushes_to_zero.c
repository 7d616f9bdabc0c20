#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | flush_to_zero | denormals_are_zero);
  return honest_plugin()->table(spec, role, positions, out);
}
