#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  const int64_t size = elements(out) * out->dtype.bits / 8;
  ((volatile char*)out->data)[size + 64] ^= 1;
  return code;
}
