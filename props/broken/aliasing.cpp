#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_aliasing() {
  return {.id = "aliasing",
          .description =
              "the vector is rotated in place, and the second element of a pair is made from the first one "
              "already rotated",
          .caught_by = {"rope/constant-norm", "rope/shift-group", "rope/offset-only", "rope/accuracy"},
          .escapes = {"rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto [first, second] = spec.dimensions(pair);
                const auto a = static_cast<std::size_t>(first);
                const auto b = static_cast<std::size_t>(second);
                const double phi = angle(spec, static_cast<double>(m), pair);
                y[a] = x[a] * std::cos(phi) - x[b] * std::sin(phi);
                y[b] = y[a] * std::sin(phi) + x[b] * std::cos(phi);
              }
            });
          }};
}

}  // namespace vernier
