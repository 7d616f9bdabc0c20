/* Plug-ins that misbehave, each in one way, to show that Vernier notices and goes on. */
#ifndef VERNIER_TEST_HOSTILE_H
#define VERNIER_TEST_HOSTILE_H

#include "vernier_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The plug-in examples/rope_plugin.c, which conforms. */
const VernierPlugin* honest_plugin(void);

/* What a hostile plug-in does where it is asked for a table; all its other functions are honest. */
int32_t hostile_table(const char* spec, const char* role, const VernierTensor* positions,
                      const VernierTensor* out);

/* How many elements a tensor has. */
static inline int64_t elements(const VernierTensor* tensor) {
  int64_t count = 1;
  for (int32_t dimension = 0; dimension < tensor->ndim; ++dimension) {
    count *= tensor->shape[dimension];
  }
  return count;
}

#ifdef __cplusplus
}
#endif

#endif
