#include <algorithm>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_pass_through_zeroed() {
  return {.id = "pass-through-zeroed",
          .description =
              "the dimensions that do not rotate come out as zeros: the output was made of the rotating part "
              "alone",
          .caught_by = {"rope/pass-through", "rope/accuracy"},
          .escapes = {"rope/constant-norm", "rope/offset-only"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              turn(spec, static_cast<double>(m), x, y);
              std::ranges::fill(y.subspan(static_cast<std::size_t>(spec.rotary_dim())), 0);
            });
          }};
}

}  // namespace vernier
