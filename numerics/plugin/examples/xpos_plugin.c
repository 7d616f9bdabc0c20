/* A Vernier plug-in in C: xPos (Sun et al. 2022), in double inside. Its keys are treated otherwise than its
 * queries: tables say so by their role, rotate() by the spec.
 *
 *     cc -std=c99 -O2 -shared -fPIC -I<prefix>/include/vernier xpos_plugin.c -o xpos_plugin.so -lm
 *     vernier validate --spec xpos.json --plugin ./xpos_plugin.so
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

static int32_t supports(const char* spec, const char* role, VernierDataType type) {
  static const char* const roles[] = {"cos", "sin", "cos_k", "sin_k", "scale", "rotated", "rotated_k"};
  int known = 0;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i) {
    known = known || strcmp(role, roles[i]) == 0;
  }
  return known && says(spec, "\"scheme\":\"xpos\"") && type.code == VERNIER_FLOAT && type.bits == 32
             ? VERNIER_OK
             : VERNIER_UNSUPPORTED;
}

static double phase(const char* spec, int64_t position, int64_t pair) {
  const double exponent = -2.0 * (double)pair / number(spec, "\"head_dim\":");
  return (double)position * pow(number(spec, "\"rope_theta\":"), exponent);
}

/* What a query is multiplied by; a key is divided by it. */
static double scale(const char* spec, int64_t position, int64_t pair) {
  const double width = number(spec, "\"head_dim\":");
  const double length = number(spec, "\"sequence_length\":");
  const double centre = says(spec, "\"centre\":\"torchscale\"") ? ceil(length / 2) : floor(length / 2);
  const double ratio = (2.0 * (double)pair + 0.4 * width) / (1.4 * width);
  return pow(ratio, ((double)position - centre) / number(spec, "\"scale_base\":"));
}

/* [T, pairs], or [T, head_dim] with every value twice, where the layout has the pair's elements. */
static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                     const VernierTensor* out) {
  const int64_t* position = (const int64_t*)positions->data;
  const int64_t rows = out->shape[0], width = out->shape[1];
  const int64_t pairs = (int64_t)number(spec, "\"head_dim\":") / 2;
  const int interleaved = says(spec, "\"layout\":\"interleaved\"");
  float* to = (float*)out->data;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      const int64_t pair = width == pairs ? column : interleaved ? column / 2 : column % pairs;
      const double factor = scale(spec, position[row], pair);
      const double angle = phase(spec, position[row], pair);
      const double trig = says(role, "cos") ? cos(angle) : sin(angle);
      *to++ = (float)(says(role, "scale") ? factor : says(role, "_k") ? trig / factor : trig * factor);
    }
  }
  return VERNIER_OK;
}

static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  const int64_t* position = (const int64_t*)positions->data;
  const int64_t rows = out->shape[out->ndim - 2], width = out->shape[out->ndim - 1], pairs = width / 2;
  const int interleaved = says(spec, "\"layout\":\"interleaved\"");
  const int of_keys = says(spec, "\"operand\":\"key\"");
  int64_t vectors = 1;
  for (int32_t dimension = 0; dimension + 1 < out->ndim; ++dimension) {
    vectors *= out->shape[dimension];
  }
  for (int64_t vector = 0; vector < vectors; ++vector) {
    const float* from = (const float*)input->data + vector * width;
    float* to = (float*)out->data + vector * width;
    for (int64_t pair = 0; pair < pairs; ++pair) {
      const int64_t first = interleaved ? 2 * pair : pair;
      const int64_t second = interleaved ? first + 1 : first + pairs;
      const double factor = scale(spec, position[vector % rows], pair);
      const double angle = phase(spec, position[vector % rows], pair);
      const double c = of_keys ? cos(angle) / factor : cos(angle) * factor;
      const double s = of_keys ? sin(angle) / factor : sin(angle) * factor;
      to[first] = (float)(from[first] * c - from[second] * s);
      to[second] = (float)(from[first] * s + from[second] * c);
    }
  }
  return VERNIER_OK;
}

static const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                                     sizeof(VernierPlugin),
                                     0,
                                     "xPos in C",
                                     "1.0",
                                     supports,
                                     table,
                                     rotate,
                                     NULL,
                                     NULL};

const VernierPlugin* vernier_plugin(void) {
  return &plugin;
}
