#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_shear() {
  return {.id = "shear",
          .description = "each pair is sheared by the angle in place of being turned: x0 - phi x1, x1",
          .caught_by = {"rope/constant-norm", "rope/offset-only", "rope/accuracy"},
          .escapes = {"rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto [first, second] = spec.dimensions(pair);
                const auto a = static_cast<std::size_t>(first);
                const auto b = static_cast<std::size_t>(second);
                const double phi = angle(spec, static_cast<double>(m), pair);
                y[a] = x[a] - phi * x[b];
              }
            });
          }};
}

}  // namespace vernier
