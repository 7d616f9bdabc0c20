#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_sine_only() {
  return {.id = "sine-only",
          .description = "the columns of cosines hold sines as well",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/constant-norm", "sinusoidal/linear-shift",
                        "sinusoidal/shift-group", "sinusoidal/offset-only"},
          .escapes = {"sinusoidal/bounded"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return e.amplitude * std::sin(static_cast<double>(t) * e.frequency);
            });
          }};
}

}  // namespace vernier
