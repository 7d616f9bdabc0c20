#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_key_not_rotated() {
  return {.id = "key-not-rotated",
          .description = "queries are rotated and keys are not: a cache that stores keys before the rotation",
          .caught_by = {"rope/offset-only", "rope/accuracy"},
          .escapes = {"rope/constant-norm", "rope/shift-group", "rope/pass-through"},
          .rotation =
              [](const RopeSpec& spec) {
                return rotation_of(spec,
                                   [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
                                     turn(spec, static_cast<double>(m), x, y);
                                   });
              },
          .key_rotation =
              [](const RopeSpec& spec) {
                return rotation_of(spec, [](std::int64_t, std::span<const double>, std::span<double>) {
                  // The key stays as it is.
                });
              }};
}

}  // namespace vernier
