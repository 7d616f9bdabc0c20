// A Vernier plug-in in C++: the sinusoidal encoding (Vaswani et al. 2017), in double inside.
//
//     c++ -O2 -shared -fPIC -I<prefix>/include/vernier sinusoidal_plugin.cpp -o sinusoidal_plugin.so
//     vernier validate --spec sinusoidal.json --plugin ./sinusoidal_plugin.so
#include <cmath>
#include <cstdint>
#include <string>

#include "vernier_plugin.h"

namespace {

// The spec is JSON without blanks: "key":value. Enough of a parser for numbers and words that are known.
bool says(const std::string& spec, const char* text) {
  return spec.find(text) != std::string::npos;
}

double number(const std::string& spec, const std::string& key) {
  const auto at = spec.find(key);
  return at == std::string::npos ? NAN : std::stod(spec.substr(at + key.size()));
}

std::int32_t supports(const char* spec_text, const char* role, VernierDataType type) {
  const std::string spec = spec_text;
  const bool known = says(spec, "\"scheme\":\"sinusoidal\"") && says(spec, "\"frequency\":\"paper\"") &&
                     says(spec, "\"padding_idx\":null") && number(spec, "\"scale\":") == 1 &&
                     std::fmod(number(spec, "\"d_model\":"), 2) == 0;
  const bool is_float = type.code == VERNIER_FLOAT && (type.bits == 32 || type.bits == 64);
  return known && is_float && std::string(role) == "encoding" ? VERNIER_OK : VERNIER_UNSUPPORTED;
}

template <typename Real>
void fill(const std::string& spec, const std::int64_t* positions, std::int64_t rows, std::int64_t width,
          Real* out) {
  const double base = number(spec, "\"base\":");
  const bool interleaved = says(spec, "\"layout\":\"interleaved\"");
  const bool sine_first = says(spec, "\"order\":\"sin_cos\"");
  const std::int64_t pairs = width / 2;
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const double frequency = std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
    const std::int64_t first = interleaved ? 2 * pair : pair;
    const std::int64_t second = interleaved ? first + 1 : first + pairs;
    for (std::int64_t row = 0; row < rows; ++row) {
      const double angle = static_cast<double>(positions[row]) * frequency;
      out[row * width + (sine_first ? first : second)] = static_cast<Real>(std::sin(angle));
      out[row * width + (sine_first ? second : first)] = static_cast<Real>(std::cos(angle));
    }
  }
}

// An exception must not leave a C function: here only std::stod and memory could throw.
std::int32_t table(const char* spec, const char*, const VernierTensor* positions, const VernierTensor* out) {
  try {
    const auto* rows = static_cast<const std::int64_t*>(positions->data);
    if (out->dtype.bits == 64) {
      fill(spec, rows, out->shape[0], out->shape[1], static_cast<double*>(out->data));
    } else {
      fill(spec, rows, out->shape[0], out->shape[1], static_cast<float*>(out->data));
    }
    return VERNIER_OK;
  } catch (...) {
    return -1;
  }
}

const VernierPlugin plugin = {VERNIER_PLUGIN_ABI_VERSION,
                              sizeof(VernierPlugin),
                              0,
                              "sinusoidal in C++",
                              "1.0",
                              supports,
                              table,
                              nullptr,
                              nullptr,
                              nullptr};

}  // namespace

const VernierPlugin* vernier_plugin() {
  return &plugin;
}
