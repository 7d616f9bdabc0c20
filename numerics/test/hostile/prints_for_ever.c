#include <stdio.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  volatile int for_ever = 1;
  while (for_ever) {
    puts("computing a row of the table");
  }
  return VERNIER_OK;
}
