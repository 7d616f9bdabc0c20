#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_pass_through_rotated() {
  return {.id = "pass-through-rotated",
          .description = "partial rotation is ignored: every dimension rotates",
          .caught_by = {"rope/pass-through", "rope/accuracy"},
          .escapes = {"rope/offset-only"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              RopeSpec whole = spec;
              whole.partial_rotary_factor = 1;
              turn(whole, static_cast<double>(m), x, y);
            });
          }};
}

}  // namespace vernier
