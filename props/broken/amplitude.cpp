#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_amplitude() {
  return {.id = "amplitude",
          .description = "every element is 1 % too large",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/bounded", "sinusoidal/constant-norm",
                        "sinusoidal/offset-only", "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/unique", "sinusoidal/linear-shift", "sinusoidal/symmetric"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return 1.01 * honest_value(static_cast<double>(t) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
