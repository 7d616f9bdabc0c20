#include <stdio.h>
#include <unistd.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  fclose(stdout);
  close(1);
  close(2);
  return honest_plugin()->table(spec, role, positions, out);
}
