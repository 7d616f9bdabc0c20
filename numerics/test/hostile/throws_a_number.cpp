#include "hostile.h"

int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out) {
  throw 42;
}
