#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_key_opposite_direction() {
  return {
      .id = "key-opposite-direction",
      .description = "keys turn against queries: scores depend on the sum of the positions",
      .caught_by = {"rope/offset-only", "rope/accuracy"},
      .escapes = {"rope/constant-norm", "rope/shift-group", "rope/pass-through"},
      .rotation =
          [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m), x, y);
            });
          },
      .key_rotation =
          [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m), x, y, -1);
            });
          }};
}

}  // namespace vernier
