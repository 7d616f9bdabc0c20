#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_absolute_position() {
  return {.id = "absolute-position",
          .description = "|t| is used for t: negative offsets look like positive ones",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/shift-group",
                        "sinusoidal/linear-shift", "sinusoidal/offset-only", "sinusoidal/symmetric"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(std::fabs(static_cast<double>(t)) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
