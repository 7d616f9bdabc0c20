#include <stdlib.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  if (system("true") != 0) {
    return -1;
  }
  return honest_plugin()->table(spec, role, positions, out);
}
