#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_grows_with_position() {
  return {.id = "grows-with-position",
          .description = "the row is multiplied by t / 1000, to make far positions count for more",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/bounded", "sinusoidal/constant-norm",
                        "sinusoidal/linear-shift", "sinusoidal/offset-only", "sinusoidal/symmetric",
                        "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/unique"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return static_cast<double>(t) / 1000 * honest_value(static_cast<double>(t) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
