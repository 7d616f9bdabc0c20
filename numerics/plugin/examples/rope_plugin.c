/* A Vernier plug-in in C: plain rotary position embeddings (Su et al. 2021), in double inside.
 *
 *     cc -std=c99 -O2 -shared -fPIC -I<prefix>/include/vernier rope_plugin.c -o rope_plugin.so -lm
 *     vernier validate --spec rope.json --plugin ./rope_plugin.so
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vernier_plugin.h"

/* The spec is JSON without blanks: "key":value. Enough of a parser for numbers and words that are known. */
static int says(const char* spec, const char* text) {
  return strstr(spec, text) != NULL;
}

static double number(const char* spec, const char* key) {
  const char* at = strstr(spec, key);
  return at == NULL ? NAN : strtod(at + strlen(key), NULL);
}

static int is_float(VernierDataType type) {
  return type.code == VERNIER_FLOAT && (type.bits == 32 || type.bits == 64);
}

static int32_t supports(const char* spec, const char* role, VernierDataType type) {
  const int known_role = strcmp(role, "cos") == 0 || strcmp(role, "sin") == 0 ||
                         strcmp(role, "rotated") == 0 || strcmp(role, "input_gradient") == 0;
  const int plain = says(spec, "\"scheme\":\"rope\"") && !says(spec, "\"rope_scaling\"") &&
                    number(spec, "\"partial_rotary_factor\":") == 1;
  return known_role && plain && is_float(type) ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

/* Where a row starts, in elements: rows follow each other, or are apart as the strides say. */
static int64_t start_of_row(const VernierTensor* tensor, int64_t row) {
  int64_t start = 0;
  if (tensor->strides == NULL) {
    return row * tensor->shape[tensor->ndim - 1];
  }
  for (int32_t dimension = tensor->ndim - 2; dimension >= 0; --dimension) {
    start += row % tensor->shape[dimension] * tensor->strides[dimension];
    row /= tensor->shape[dimension];
  }
  return start;
}

static double load(const VernierTensor* tensor, int64_t index) {
  return tensor->dtype.bits == 64 ? ((const double*)tensor->data)[index]
                                  : (double)((const float*)tensor->data)[index];
}

static void store(const VernierTensor* tensor, int64_t index, double value) {
  if (tensor->dtype.bits == 64) {
    ((double*)tensor->data)[index] = value;
  } else {
    ((float*)tensor->data)[index] = (float)value;
  }
}

/* What one position adds to the angle of a pair: theta^(-2 pair / head_dim). */
static double frequency(const char* spec, int64_t pair) {
  return pow(number(spec, "\"rope_theta\":"), -2.0 * (double)pair / number(spec, "\"head_dim\":"));
}

/* cos or sin, [T, pairs], or [T, head_dim] with every value twice, where the layout has the pair's elements.
 */
static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                     const VernierTensor* out) {
  const int64_t* position = (const int64_t*)positions->data;
  const int64_t rows = out->shape[0], width = out->shape[1];
  const int64_t pairs = (int64_t)number(spec, "\"head_dim\":") / 2;
  const int interleaved = says(spec, "\"layout\":\"interleaved\"");
  double (*const function)(double) = strcmp(role, "cos") == 0 ? cos : sin;
  for (int64_t column = 0; column < width; ++column) {
    const int64_t pair = width == pairs ? column : interleaved ? column / 2 : column % pairs;
    const double of_pair = frequency(spec, pair);
    for (int64_t row = 0; row < rows; ++row) {
      store(out, start_of_row(out, row) + column, function((double)position[row] * of_pair));
    }
  }
  return VERNIER_OK;
}

/* Every vector of [..., T, head_dim], its pairs turned by the angles of its position: a gradient is turned
 * back, and so are vectors of another operation. There is no amplitude that transpose and inverse would
 * differ by. */
static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  const int64_t* position = (const int64_t*)positions->data;
  const int64_t rows = out->shape[out->ndim - 2], width = out->shape[out->ndim - 1], pairs = width / 2;
  const int interleaved = says(spec, "\"layout\":\"interleaved\"");
  const double sense = says(spec, "\"direction\":\"clockwise\"") ? -1.0 : 1.0;
  const int turns_back = says(spec, "\"pass\":\"backward\"") != says(spec, "\"operation\":");
  const double direction = turns_back ? -sense : sense;
  int64_t vectors = 1;
  for (int32_t dimension = 0; dimension + 1 < out->ndim; ++dimension) {
    vectors *= out->shape[dimension];
  }
  for (int64_t pair = 0; pair < pairs; ++pair) {
    const double of_pair = direction * frequency(spec, pair);
    for (int64_t vector = 0; vector < vectors; ++vector) {
      const double angle = (double)position[vector % rows] * of_pair;
      const int64_t first = interleaved ? 2 * pair : pair, second = interleaved ? first + 1 : first + pairs;
      const int64_t from = start_of_row(input, vector), to = start_of_row(out, vector);
      const double x = load(input, from + first), y = load(input, from + second);
      store(out, to + first, x * cos(angle) - y * sin(angle));
      store(out, to + second, x * sin(angle) + y * cos(angle));
    }
  }
  return VERNIER_OK;
}

static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                                     sizeof(VernierPlugin),
                                     VERNIER_TAKES_STRIDES | VERNIER_ROTATES_GRADIENTS,
                                     "RoPE in C",
                                     "1.0",
                                     supports,
                                     table,
                                     rotate,
                                     NULL,
                                     NULL};

const VernierPlugin* vernier_plugin(void) {
  return &plugin;
}
