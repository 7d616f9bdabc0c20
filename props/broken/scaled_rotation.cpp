#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_scaled_rotation() {
  return {.id = "scaled-rotation",
          .description =
              "cosine and sine carry a factor of 1.01, an attention factor that the spec does not have",
          .caught_by = {"rope/constant-norm", "rope/accuracy", "rope/shift-group"},
          .escapes = {"rope/offset-only", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto [first, second] = spec.dimensions(pair);
                const auto a = static_cast<std::size_t>(first);
                const auto b = static_cast<std::size_t>(second);
                const double phi = angle(spec, static_cast<double>(m), pair);
                y[a] = 1.01 * (x[a] * std::cos(phi) - x[b] * std::sin(phi));
                y[b] = 1.01 * (x[a] * std::sin(phi) + x[b] * std::cos(phi));
              }
            });
          }};
}

}  // namespace vernier
