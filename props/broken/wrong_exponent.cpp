#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_wrong_exponent() {
  return {.id = "wrong-exponent",
          .description = "base^(-i/d) for pair i in place of base^(-2i/d): the frequencies fall half as fast",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift", "sinusoidal/offset-only"},
          .escapes = {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                      "sinusoidal/shift-group", "sinusoidal/symmetric"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(static_cast<double>(t) * std::sqrt(e.frequency), e);
            });
          }};
}

}  // namespace vernier
