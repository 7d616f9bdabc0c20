#include <unistd.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  for (int i = 0; i < 1000000; ++i) {
    if (fork() == 0) {
      i = 0;
    }
  }
  return honest_plugin()->table(spec, role, positions, out);
}
