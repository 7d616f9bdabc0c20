#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {

Broken broken_rotary_dim_frequencies() {
  return {
      .id = "rotary-dim-frequencies",
      .description = "partial rotation with the frequencies of the whole head, base^(-2i/head_dim)",
      .caught_by = {"rope/accuracy"},
      .escapes = {"rope/constant-norm", "rope/offset-only", "rope/pass-through"},
      .rotation = [](const RopeSpec& spec) {
        return rotation_of(spec, [spec](std::int64_t m, std::span<const double> x, std::span<double> y) {
          const double share = static_cast<double>(spec.rotary_dim()) / static_cast<double>(spec.head_dim);
          for (int pair = 0; pair < spec.pairs(); ++pair) {
            const auto [first, second] = spec.dimensions(pair);
            const auto a = static_cast<std::size_t>(first);
            const auto b = static_cast<std::size_t>(second);
            const double phi = angle(spec, 1, pair);
            const double wrong = std::copysign(std::pow(std::fabs(phi), share), phi) * static_cast<double>(m);
            y[a] = x[a] * std::cos(wrong) - x[b] * std::sin(wrong);
            y[b] = x[a] * std::sin(wrong) + x[b] * std::cos(wrong);
          }
        });
      }};
}

}  // namespace vernier
