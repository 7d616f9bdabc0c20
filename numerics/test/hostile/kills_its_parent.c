#include <signal.h>
#include <unistd.h>

#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  kill(getppid(), SIGKILL);
  return honest_plugin()->table(spec, role, positions, out);
}
