#include <stdio.h>
#include <stdlib.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  fputs("rope.c:12: assertion failed: \x1b[31mhead_dim\n", stderr);
  abort();
}
