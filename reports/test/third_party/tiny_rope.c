/* Rotary position embedding, "half" layout: pair i is elements i and i + head_dim / 2. */
#include <math.h>
#include <string.h>
#include <vernier_plugin.h>

enum { HEAD_DIM = 16, PAIRS = HEAD_DIM / 2 };

/* The direction of rotation, with which the sines of a broken kernel have the wrong sign. */
#ifdef TINY_ROPE_BROKEN
static const double direction = -1;
#else
static const double direction = 1;
#endif

static double phase(int64_t position, int pair) {
  return (double)position * pow(10000.0, -2.0 * pair / HEAD_DIM);
}

static double load(const VernierTensor* tensor, int64_t index) {
  return tensor->dtype.bits == 64 ? ((const double*)tensor->data)[index]
                                  : ((const float*)tensor->data)[index];
}

static void store(const VernierTensor* tensor, int64_t index, double value) {
  if (tensor->dtype.bits == 64) {
    ((double*)tensor->data)[index] = value;
  } else {
    ((float*)tensor->data)[index] = (float)value;
  }
}

/* The one encoding that this kernel is. */
static const char encoding[] =
    "{\"scheme\":\"rope\",\"head_dim\":16,\"rope_theta\":10000,\"layout\":\"half\",";

static int32_t supports(const char* spec, const char* role, VernierDataType dtype) {
  const int is_float = dtype.code == VERNIER_FLOAT && (dtype.bits == 32 || dtype.bits == 64);
  const int is_role = strcmp(role, "cos") == 0 || strcmp(role, "sin") == 0 || strcmp(role, "rotated") == 0;
  const int is_encoding = strncmp(spec, encoding, sizeof encoding - 1) == 0;
  return is_float && is_role && is_encoding ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

static int32_t table(const char* spec, const char* role, const VernierTensor* positions,
                     const VernierTensor* out) {
  (void)spec;
  if (out->shape[1] != PAIRS) {
    return VERNIER_UNSUPPORTED;
  }
  for (int64_t t = 0; t < positions->shape[0]; ++t) {
    for (int pair = 0; pair < PAIRS; ++pair) {
      const double angle = phase(((const int64_t*)positions->data)[t], pair);
      store(out, t * PAIRS + pair, strcmp(role, "cos") == 0 ? cos(angle) : direction * sin(angle));
    }
  }
  return VERNIER_OK;
}

static int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                      const VernierTensor* out) {
  (void)spec;
  const int64_t rows = positions->shape[0];
  int64_t vectors = 1;
  for (int32_t i = 0; i + 1 < out->ndim; ++i) {
    vectors *= out->shape[i];
  }
  for (int64_t v = 0; v < vectors; ++v) {
    for (int pair = 0; pair < PAIRS; ++pair) {
      const double angle = phase(((const int64_t*)positions->data)[v % rows], pair);
      const double c = cos(angle);
      const double s = direction * sin(angle);
      const int64_t first = v * HEAD_DIM + pair;
      const double x = load(input, first);
      const double y = load(input, first + PAIRS);
      store(out, first, x * c - y * s);
      store(out, first + PAIRS, x * s + y * c);
    }
  }
  return VERNIER_OK;
}

static const VernierPlugin plugin = {.abi_version = VERNIER_PLUGIN_ABI_VERSION,
                                     .struct_size = sizeof(VernierPlugin),
                                     .name = "tiny rope",
                                     .version = "1.2.0",
                                     .supports = supports,
                                     .table = table,
                                     .rotate = rotate};

VERNIER_PLUGIN_EXPORT const VernierPlugin* vernier_plugin(void) {
  return &plugin;
}
