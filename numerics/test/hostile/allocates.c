#include <stdlib.h>

#include "hostile.h"

/* 100 GB, touched: what a wrong size does. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  const size_t size = (size_t)100 << 30;
  volatile char* memory = malloc(size);
  for (size_t at = 0; at < size; at += 4096) {
    memory[at] = 1;
  }
  return honest_plugin()->table(spec, role, positions, out);
}
