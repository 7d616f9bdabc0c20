#include <fcntl.h>
#include <string.h>

#include "hostile.h"
#include "vernier_process.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  for (int descriptor = 0; descriptor < 64; ++descriptor) {
    char name[64];
    char target[64] = {0};
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)vernier_process(), descriptor);
    if (readlink(name, target, sizeof target - 1) > 0 && strstr(target, "memfd") != NULL) {
      const int file = open(name, O_RDWR);
      if (file >= 0 && ftruncate(file, 0) == 0) {
        close(file);
      }
    }
  }
  return code;
}
