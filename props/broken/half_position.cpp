#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_half_position() {
  return {.id = "half-position",
          .description = "the position is halved in integers: neighbours share a row",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/linear-shift",
                        "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              const std::int64_t half = t / 2;
              return honest_value(static_cast<double>(half) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
