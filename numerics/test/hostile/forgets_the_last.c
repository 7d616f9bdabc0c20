#include <string.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int64_t last = elements(out) - 1;
  float before;
  memcpy(&before, (float*)out->data + last, sizeof before);
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  memcpy((float*)out->data + last, &before, sizeof before);
  return code;
}
