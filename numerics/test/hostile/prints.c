#include <stdio.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  for (int i = 0; i < 40000; ++i) {
    puts("computing a row of the table");
  }
  return honest_plugin()->table(spec, role, positions, out);
}
