#include "hostile.h"

static unsigned deeper(unsigned depth) {
  volatile unsigned frame[256];
  frame[depth % 256] = depth;
  return frame[depth % 256] > 0 ? deeper(depth + 1) + frame[(depth + 1) % 256] : 0;
}

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  return deeper(1) != 0 ? VERNIER_OK : -1;
}
