#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_one_constant_reduction() {
  return {.id = "one-constant-reduction",
          .description =
              "the phase is reduced by one float32 value of 2 pi before sine and cosine: shaders, fast-math",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              const float phase = static_cast<float>(t) * static_cast<float>(e.frequency);
              const float two_pi = 6.2831853F;
              return honest_value(static_cast<double>(phase - two_pi * std::rint(phase / two_pi)), e);
            });
          }};
}

}  // namespace vernier
