#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_swapped_pair() {
  return {.id = "swapped-pair",
          .description = "sine and cosine change places in the first pair only",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/unique", "sinusoidal/constant-norm",
                      "sinusoidal/offset-only", "sinusoidal/symmetric"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              const double phase = static_cast<double>(t) * e.frequency;
              return e.pair > 0
                         ? honest_value(phase, e)
                         : e.amplitude * (e.component == Component::sine ? std::cos(phase) : std::sin(phase));
            });
          }};
}

}  // namespace vernier
