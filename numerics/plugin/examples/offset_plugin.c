/* A Vernier plug-in in C around an engine that computes a block of positions from an offset and a length, as
 * decoders with a cache of keys do, and rotates vectors where they lie.
 *
 *     cc -std=c99 -O2 -shared -fPIC -I<prefix>/include/vernier offset_plugin.c -o offset_plugin.so -lm
 *     vernier validate --spec rope.json --plugin ./offset_plugin.so
 *
 * The adapter is what to copy: it says VERNIER_TAKES_CONTIGUOUS_ONLY, so that Vernier asks for positions k,
 * k + 1, k + 2 ... only, reads the offset off the first of them and the length off the shape; and
 * VERNIER_ROTATES_IN_PLACE, so that `out` holds the vectors when the engine is called.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vernier_plugin.h"

/* The engine: a stand-in for yours. cos and sin of positions offset .. offset + length - 1, [length, pairs].
 */
static void engine_tables(double base, int64_t pairs, int64_t offset, int64_t length, float* cosines,
                          float* sines) {
  for (int64_t pair = 0; pair < pairs; ++pair) {
    const double frequency = pow(base, -(double)pair / (double)pairs);
    for (int64_t row = 0; row < length; ++row) {
      const double angle = (double)(offset + row) * frequency;
      cosines[row * pairs + pair] = (float)cos(angle);
      sines[row * pairs + pair] = (float)sin(angle);
    }
  }
}

/* Rotates [length, 2 pairs] in place, pair i being the elements i and i + pairs. */
static void engine_rotate(double base, int64_t pairs, int64_t offset, int64_t length, float* vectors) {
  for (int64_t pair = 0; pair < pairs; ++pair) {
    const double frequency = pow(base, -(double)pair / (double)pairs);
    for (int64_t row = 0; row < length; ++row) {
      float* x = vectors + row * 2 * pairs;
      const double angle = (double)(offset + row) * frequency;
      const double first = x[pair], second = x[pair + pairs];
      x[pair] = (float)(first * cos(angle) - second * sin(angle));
      x[pair + pairs] = (float)(first * sin(angle) + second * cos(angle));
    }
  }
}

/* The adapter. */
static double number(const char* spec, const char* key) {
  const char* at = strstr(spec, key);
  return at == NULL ? NAN : strtod(at + strlen(key), NULL);
}

static int32_t supports(const char* spec, const char* role, VernierDataType type) {
  const int known_role = strcmp(role, "cos") == 0 || strcmp(role, "sin") == 0 || strcmp(role, "rotated") == 0;
  const int known_spec =
      strstr(spec, "\"scheme\":\"rope\"") != NULL && strstr(spec, "\"layout\":\"half\"") != NULL &&
      strstr(spec, "\"direction\":\"counterclockwise\"") != NULL &&
      strstr(spec, "\"rope_scaling\"") == NULL && number(spec, "\"partial_rotary_factor\":") == 1;
  return known_role && known_spec && type.code == VERNIER_FLOAT && type.bits == 32 ? VERNIER_OK
                                                                                   : VERNIER_UNSUPPORTED;
}

/* Whether positions are a block that starts at 0 or above. */
static int is_block(const VernierTensor* positions) {
  const int64_t* position = (const int64_t*)positions->data;
  for (int64_t row = 1; row < positions->shape[0]; ++row) {
    if (position[row] != position[0] + row) {
      return 0;
    }
  }
  return positions->ndim == 1 && positions->shape[0] > 0 && position[0] >= 0;
}

static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                     const VernierTensor* out) {
  const int64_t pairs = (int64_t)number(spec, "\"head_dim\":") / 2, rows = positions->shape[0];
  if (out->shape[1] != pairs) {
    return VERNIER_UNSUPPORTED;
  }
  if (!is_block(positions)) {
    return VERNIER_REJECTED;
  }
  /* The engine computes both: what was not asked for goes nowhere. */
  float* const other = malloc((size_t)(rows * pairs) * sizeof *other);
  if (other == NULL) {
    return VERNIER_REJECTED;
  }
  const int is_cosine = strcmp(role, "cos") == 0;
  engine_tables(number(spec, "\"rope_theta\":"), pairs, ((const int64_t*)positions->data)[0], rows,
                is_cosine ? (float*)out->data : other, is_cosine ? other : (float*)out->data);
  free(other);
  return VERNIER_OK;
}

static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  const int64_t pairs = out->shape[out->ndim - 1] / 2, rows = positions->shape[0];
  (void)input; /* it is what out holds */
  if (!is_block(positions)) {
    return VERNIER_REJECTED;
  }
  int64_t copies = 1; /* of the sequence: batch, heads */
  for (int32_t dimension = 0; dimension + 2 < out->ndim; ++dimension) {
    copies *= out->shape[dimension];
  }
  for (int64_t copy = 0; copy < copies; ++copy) {
    engine_rotate(number(spec, "\"rope_theta\":"), pairs, ((const int64_t*)positions->data)[0], rows,
                  (float*)out->data + copy * rows * 2 * pairs);
  }
  return VERNIER_OK;
}

static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                                     sizeof(VernierPlugin),
                                     VERNIER_TAKES_CONTIGUOUS_ONLY | VERNIER_ROTATES_IN_PLACE,
                                     "RoPE by offset and length",
                                     "1.0",
                                     supports,
                                     table,
                                     rotate,
                                     NULL,
                                     NULL};

const VernierPlugin* vernier_plugin(void) {
  return &plugin;
}
