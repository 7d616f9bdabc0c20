#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_modulo_4096() {
  return {.id = "modulo-4096",
          .description = "positions wrap around at 4096, the length of a precomputed table",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only",
                        "sinusoidal/unique", "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(static_cast<double>(t & 4095) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
