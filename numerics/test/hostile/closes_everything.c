#include <unistd.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    close(descriptor);
  }
  return honest_plugin()->table(spec, role, positions, out);
}
