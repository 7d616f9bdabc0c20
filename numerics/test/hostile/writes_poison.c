#include <string.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  /* Every element is written, and one in eight happens to be what the output held before. */
  for (int64_t i = 0; i < elements(out); ++i) {
    memset((float*)out->data + i, 0xf8 + (int)(i % 8), sizeof(float));
  }
  return VERNIER_OK;
}
