// A Vernier plug-in in C++: a RoPE kernel in float32, which rotates head vectors by halves (Su et al. 2021).
//
//     c++ -O2 -shared -fPIC -I<prefix>/include/vernier rope_kernel.cpp -o rope_kernel.so
//     vernier validate --spec rope.json --plugin ./rope_kernel.so
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "vernier_plugin.h"

namespace {

// The kernel: replace its body by the launch of yours. Vectors are rows of head_dim numbers, and vector v has
// position[v % tokens].
void rotate_half(const float* x, const std::int64_t* position, std::int64_t vectors, std::int64_t tokens,
                 std::int64_t head_dim, double theta, float* y) {
  const std::int64_t half = head_dim / 2;
  for (std::int64_t pair = 0; pair < half; ++pair) {
    const float exponent = static_cast<float>(2 * pair) / static_cast<float>(head_dim);
    const float inv_freq = 1.0F / std::pow(static_cast<float>(theta), exponent);
    for (std::int64_t vector = 0; vector < vectors; ++vector) {
      const float angle = static_cast<float>(position[vector % tokens]) * inv_freq;
      const float c = std::cos(angle);
      const float s = std::sin(angle);
      const std::int64_t first = vector * head_dim + pair;
      y[first] = x[first] * c - x[first + half] * s;
      y[first + half] = x[first + half] * c + x[first] * s;
    }
  }
}

// The spec is JSON without blanks: "key":value.
bool says(const std::string& spec, const char* text) {
  return spec.find(text) != std::string::npos;
}

double number(const std::string& spec, const std::string& key) {
  const std::string::size_type at = spec.find(key);
  return at == std::string::npos ? NAN : std::strtod(spec.c_str() + at + key.size(), nullptr);
}

std::int32_t supports(const char* spec_text, const char* role, VernierDataType type) {
  const std::string spec = spec_text;
  const bool is_plain = says(spec, "\"scheme\":\"rope\"") && says(spec, "\"layout\":\"half\"") &&
                        !says(spec, "\"rope_scaling\"") && !says(spec, "\"operation\"") &&
                        !says(spec, "\"direction\":\"clockwise\"") &&
                        number(spec, "\"partial_rotary_factor\":") == 1;
  const bool is_float32 = type.code == VERNIER_FLOAT && type.bits == 32;
  return is_plain && is_float32 && std::string(role) == "rotated" ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

std::int32_t rotate(const char* spec, const VernierTensor* positions, const VernierTensor* input,
                    const VernierTensor* out) {
  const std::int64_t head_dim = out->shape[out->ndim - 1];
  std::int64_t vectors = 1;
  for (std::int32_t dimension = 0; dimension + 1 < out->ndim; ++dimension) {
    vectors *= out->shape[dimension];
  }
  rotate_half(static_cast<const float*>(input->data), static_cast<const std::int64_t*>(positions->data),
              vectors, out->shape[out->ndim - 2], head_dim, number(spec, "\"rope_theta\":"),
              static_cast<float*>(out->data));
  return VERNIER_OK;
}

const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                              sizeof(VernierPlugin),
                              0,
                              "a RoPE kernel in C++",
                              "1.0",
                              supports,
                              nullptr,
                              rotate,
                              nullptr,
                              nullptr};

}  // namespace

const VernierPlugin* vernier_plugin() {
  return &plugin;
}
