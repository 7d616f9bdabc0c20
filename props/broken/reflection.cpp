#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_reflection() {
  return {.id = "reflection",
          .description = "a sign is lost in the second row of the rotation, which becomes a reflection",
          .caught_by = {"rope/shift-group", "rope/accuracy"},
          .escapes = {"rope/constant-norm", "rope/offset-only", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto [first, second] = spec.dimensions(pair);
                const auto a = static_cast<std::size_t>(first);
                const auto b = static_cast<std::size_t>(second);
                const double phi = angle(spec, static_cast<double>(m), pair);
                y[a] = x[a] * std::cos(phi) + x[b] * std::sin(phi);
                y[b] = x[a] * std::sin(phi) - x[b] * std::cos(phi);
              }
            });
          }};
}

}  // namespace vernier
