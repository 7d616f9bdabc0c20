#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_bfloat16_rotary_position() {
  return {.id = "bfloat16-rotary-position",
          .description = "the position is held in bfloat16: integers beyond 256 are rounded",
          .caught_by = {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
          .escapes = {"rope/constant-norm", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, round_to(Format::bfloat16, static_cast<double>(m)), x, y);
            });
          }};
}

}  // namespace vernier
