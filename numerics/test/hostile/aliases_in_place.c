#include <math.h>
#include <string.h>

#include "hostile.h"

/* Says that it rotates in place, and overwrites the first of a pair before it computes the second from it.
 * Where input and output lie apart it is right. Of float32, theta 10000 and halves only. */
static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  if (out->dtype.bits != 32) {
    return VERNIER_UNSUPPORTED;
  }
  const int64_t* position = (const int64_t*)positions->data;
  const int64_t rows = out->shape[out->ndim - 2], width = out->shape[out->ndim - 1], pairs = width / 2;
  for (int64_t vector = 0; vector < elements(out) / width; ++vector) {
    const float* x = (const float*)input->data + vector * width;
    float* y = (float*)out->data + vector * width;
    for (int64_t pair = 0; pair < pairs; ++pair) {
      const double angle = (double)position[vector % rows] * pow(10000, -(double)pair / (double)pairs);
      y[pair] = (float)(x[pair] * cos(angle) - x[pair + pairs] * sin(angle));
      y[pair + pairs] = (float)(x[pair] * sin(angle) + x[pair + pairs] * cos(angle));
    }
  }
  return VERNIER_OK;
}

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  static VernierPlugin plugin;
  plugin = *honest_plugin();
  plugin.capabilities = VERNIER_ROTATES_IN_PLACE;
  plugin.rotate = rotate;
  return &plugin;
}
