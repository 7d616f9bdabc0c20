#include <fcntl.h>
#include <string.h>

#include "hostile.h"
#include "vernier_process.h"

/* Zeros over the start of everything that Vernier can write to. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const int32_t code = honest_plugin()->table(spec, role, positions, out);
  static const char zeros[4096];
  char name[64];
  char line[512];
  snprintf(name, sizeof name, "/proc/%ld/mem", (long)vernier_process());
  const int memory = open(name, O_WRONLY);
  snprintf(name, sizeof name, "/proc/%ld/maps", (long)vernier_process());
  FILE* maps = fopen(name, "r");
  while (memory >= 0 && maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long start = 0;
    if (strstr(line, " rw-p ") != NULL && sscanf(line, "%lx", &start) == 1 &&
        pwrite(memory, zeros, sizeof zeros, (off_t)start) < 0) {
      break;
    }
  }
  if (maps != NULL) {
    fclose(maps);
  }
  return code;
}
