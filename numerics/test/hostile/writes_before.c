#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  ((volatile char*)out->data)[-16] ^= 1;
  return code;
}
