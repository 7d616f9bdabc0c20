/* Rotates the pairs (i, i + rotary_dim / 2) of vectors in place, as fused kernels do, and has no tables. What
 * does not rotate it does not touch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vernier_plugin.h"

static double number(const char* spec, const char* key) {
  const char* at = strstr(spec, key);
  return at == NULL ? NAN : strtod(at + strlen(key), NULL);
}

static int32_t supports(const char* spec, const char* role, VernierDataType type) {
  const int is_known = strcmp(role, "rotated") == 0 && strstr(spec, "\"scheme\":\"rope\"") != NULL &&
                       strstr(spec, "\"layout\":\"half\"") != NULL &&
                       strstr(spec, "\"direction\":\"counterclockwise\"") != NULL &&
                       strstr(spec, "\"rope_scaling\"") == NULL;
  return is_known && type.code == VERNIER_FLOAT && type.bits == 32 ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  const int64_t rows = out->shape[out->ndim - 2], width = out->shape[out->ndim - 1];
  const int64_t pairs = (int64_t)(number(spec, "\"partial_rotary_factor\":") * (double)width) / 2;
  int64_t vectors = 1;
  if (input->data != out->data) {
    return VERNIER_UNSUPPORTED;
  }
  for (int32_t dimension = 0; dimension + 1 < out->ndim; ++dimension) {
    vectors *= out->shape[dimension];
  }
  for (int64_t vector = 0; vector < vectors; ++vector) {
    float* x = (float*)out->data + vector * width;
    for (int64_t pair = 0; pair < pairs; ++pair) {
      const double frequency = pow(number(spec, "\"rope_theta\":"), -(double)pair / (double)pairs);
      const double angle = (double)((const int64_t*)positions->data)[vector % rows] * frequency;
      const double first = x[pair], second = x[pair + pairs];
      x[pair] = (float)(first * cos(angle) - second * sin(angle));
      x[pair + pairs] = (float)(first * sin(angle) + second * cos(angle));
    }
  }
  return VERNIER_OK;
}

static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                                     sizeof(VernierPlugin),
                                     VERNIER_ROTATES_IN_PLACE,
                                     "RoPE in place",
                                     "1.0",
                                     supports,
                                     NULL,
                                     rotate,
                                     NULL,
                                     NULL};

const VernierPlugin* vernier_plugin(void) {
  return &plugin;
}
