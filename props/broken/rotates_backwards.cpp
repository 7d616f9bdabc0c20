#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_rotates_backwards() {
  return {.id = "rotates-backwards",
          .description = "queries and keys both turn against the direction of the spec",
          .caught_by = {"rope/accuracy"},
          .escapes = {"rope/constant-norm", "rope/shift-group", "rope/offset-only", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m), x, y, -1);
            });
          }};
}

}  // namespace vernier
