#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_bfloat16_position() {
  return {.id = "bfloat16-position",
          .description = "the position is held in bfloat16: integers beyond 256 are rounded",
          .caught_by = {"sinusoidal/accuracy", "sinusoidal/unique", "sinusoidal/linear-shift",
                        "sinusoidal/shift-group", "sinusoidal/offset-only"},
          .escapes = {"sinusoidal/bounded", "sinusoidal/constant-norm"},
          .table = [](const SinusoidalSpec& spec) {
            return table_of(spec, [](std::int64_t t, const Element& e) {
              return honest_value(round_to(Format::bfloat16, static_cast<double>(t)) * e.frequency, e);
            });
          }};
}

}  // namespace vernier
