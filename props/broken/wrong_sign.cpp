#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_wrong_sign() {
  return {.id = "wrong-sign",
          .description =
              "sin(-t w): the table runs backwards, as with the opposite sign convention for the phase",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/linear-shift"},
          .escapes = {"sinusoidal/unique", "sinusoidal/bounded", "sinusoidal/constant-norm",
                      "sinusoidal/shift-group", "sinusoidal/offset-only", "sinusoidal/symmetric"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(-static_cast<double>(t) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
