#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  volatile uintptr_t nowhere = 8;
  *(volatile char*)nowhere = 1;
  return VERNIER_OK;
}
