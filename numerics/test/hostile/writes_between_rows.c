#include <stddef.h>

#include "hostile.h"

/* Leaves a 1 behind the first row, where rows are apart. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  if (out->strides != NULL && out->shape[0] > 1) {
    ((float*)out->data)[out->shape[1]] = 1;
  }
  return honest_plugin()->table(spec, role, positions, out);
}
