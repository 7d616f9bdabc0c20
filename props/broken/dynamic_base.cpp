#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_dynamic_base() {
  return {.id = "dynamic-base",
          .description =
              "the base grows with the position beyond 128: keys in the cache were rotated with another base "
              "than new ones",
          .caught_by = {"rope/accuracy", "rope/offset-only", "rope/shift-group"},
          .escapes = {"rope/constant-norm", "rope/pass-through"},
          .rotation = [](const RopeSpec& spec) {
            return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
              for (int pair = 0; pair < spec.pairs(); ++pair) {
                const auto [first, second] = spec.dimensions(pair);
                const auto a = static_cast<std::size_t>(first);
                const auto b = static_cast<std::size_t>(second);
                const double phi = angle(spec, static_cast<double>(m), pair);
                const double length = std::fabs(static_cast<double>(m));
                const double growth =
                    length > 128 ? std::pow(length / 128, -static_cast<double>(pair) / spec.rotary_dim()) : 1;
                y[a] = x[a] * std::cos(phi * growth) - x[b] * std::sin(phi * growth);
                y[b] = x[a] * std::sin(phi * growth) + x[b] * std::cos(phi * growth);
              }
            });
          }};
}

}  // namespace vernier
