#include <stdlib.h>

#include "hostile.h"

/* A block k, k + 1, ... has the rows 0, 1, ...: right for a prompt, wrong for the next part of it. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int64_t rows = elements(positions);
  const int64_t* at = (const int64_t*)positions->data;
  if (rows < 2 || rows > 1000 || at[rows - 1] - at[0] != rows - 1) {
    return honest_plugin()->table(spec, role, positions, out);
  }
  int64_t* counted = malloc((size_t)rows * sizeof *counted);
  for (int64_t row = 0; row < rows; ++row) {
    counted[row] = row;
  }
  VernierTensor wrong = *positions;
  wrong.data = counted;
  const int32_t code = honest_plugin()->table(spec, role, &wrong, out);
  free(counted);
  return code;
}
