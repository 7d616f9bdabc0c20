#include <math.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  for (int64_t i = 0; i < elements(out); ++i) {
    ((float*)out->data)[i] = NAN;
  }
  return VERNIER_OK;
}
