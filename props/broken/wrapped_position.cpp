#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_wrapped_position() {
  return {.id = "wrapped-position",
          .description = "positions wrap around at 4096, the length of a precomputed cache",
          .caught_by = {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
          .escapes = {"rope/constant-norm", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m & 4095), x, y);
            });
          }};
}

}  // namespace vernier
