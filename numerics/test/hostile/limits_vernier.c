#define _GNU_SOURCE

#include <sys/resource.h>
#include <sys/time.h>

#include "hostile.h"
#include "vernier_process.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const struct rlimit none = {0, 0};
  prlimit(vernier_process(), RLIMIT_FSIZE, &none, NULL);
  prlimit(vernier_process(), RLIMIT_NOFILE, &none, NULL);
  return honest_plugin()->table(spec, role, positions, out);
}
