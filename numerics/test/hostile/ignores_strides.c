#include <stddef.h>

#include "hostile.h"

static VernierTensor taken_for_dense(const VernierTensor* tensor) {
  VernierTensor dense = *tensor;
  dense.strides = NULL;
  return dense;
}

static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                     const VernierTensor* out) {
  const VernierTensor dense = taken_for_dense(out);
  return honest_plugin()->table(spec, role, positions, &dense);
}

static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  const VernierTensor from = taken_for_dense(input), to = taken_for_dense(out);
  return honest_plugin()->rotate(spec, positions, &from, &to);
}

/* Says that it takes strides, and goes by the shape. */
VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.table = table;
  plugin.rotate = rotate;
  return &plugin;
}
