#include <signal.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  raise(SIGSTOP);
  return honest_plugin()->table(spec, role, positions, out);
}
