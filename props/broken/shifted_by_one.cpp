#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_shifted_by_one() {
  return {.id = "shifted-by-one",
          .description = "the first row is that of position 1: indices that start from one",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/shift-group"},
          .escapes = {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                      "sinusoidal/linear-shift", "sinusoidal/offset-only", "sinusoidal/symmetric"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(static_cast<double>(t + 1) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
