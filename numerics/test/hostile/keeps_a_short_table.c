#include <stdlib.h>

#include "hostile.h"

/* A table that grows with the number of rows that are asked for, and not with their positions: the last row
 * stands for what lies behind it. Only a new process that is asked for few and far rows shows it. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  static int64_t length = 0;
  const int64_t rows = elements(positions);
  const int64_t* at = (const int64_t*)positions->data;
  if (rows > length) {
    length = rows < 1000 ? rows : INT64_MAX;
  }
  int64_t* clamped = malloc((size_t)rows * sizeof *clamped);
  for (int64_t row = 0; row < rows; ++row) {
    clamped[row] = at[row] < length ? at[row] : length - 1;
  }
  VernierTensor wrong = *positions;
  wrong.data = clamped;
  const int32_t code = honest_plugin()->table(spec, role, &wrong, out);
  free(clamped);
  return code;
}
