#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  static int calls = 0;
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  ((float*)out->data)[0] += (float)calls++;
  return code;
}
