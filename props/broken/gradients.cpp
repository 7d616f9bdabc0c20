// Backward passes of rotations that are right.

#include <algorithm>
#include <cmath>

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {
namespace {

Broken broken_gradient(std::string_view id, std::string_view description, MakeRotation gradient) {
  return {.id = id,
          .description = description,
          .caught_by = {"rope/adjoint", "rope/transpose-returns"},
          .escapes = {"rope/accuracy", "rope/offset-only", "rope/constant-norm"},
          .rotation = turning(1),
          .gradient = std::move(gradient)};
}

}  // namespace

Broken broken_gradient_forward() {
  return broken_gradient("gradient-forward", "the backward pass does not negate the sine", turning(1));
}

Broken broken_gradient_layout() {
  return broken_gradient("gradient-layout", "the backward pass pairs the dimensions of the other layout",
                         [](const RopeSpec& spec) {
                           auto other = spec;
                           other.layout = spec.layout == RopeSpec::Layout::half
                                              ? RopeSpec::Layout::interleaved
                                              : RopeSpec::Layout::half;
                           return turning(-1)(other);
                         });
}

Broken broken_gradient_half_table() {
  return broken_gradient(
      "gradient-half-table",
      "the backward pass asks the forward kernel for negated positions, which it counts from the end of "
      "a table of 2^15 rows",
      [](const RopeSpec& spec) {
        return rotation_of(spec, [=](std::int64_t m, std::span<const double> x, std::span<double> y) {
          constexpr std::int64_t rows = 1 << 15;
          turn(spec, static_cast<double>(((-m) % rows + rows) % rows), x, y);
        });
      });
}

Broken broken_gradient_partner() {
  return broken_gradient("gradient-partner", "the backward pass takes the partner's sine from the next pair",
                         [](const RopeSpec& spec) {
                           return rotation_of(
                               spec, [=](std::int64_t m, std::span<const double> x, std::span<double> y) {
                                 const auto position = static_cast<double>(m);
                                 for (int pair = 0; pair < spec.pairs(); ++pair) {
                                   const auto [first, second] = spec.dimensions(pair);
                                   const auto a = static_cast<std::size_t>(first);
                                   const auto b = static_cast<std::size_t>(second);
                                   const double own = angle(spec, position, pair);
                                   const double partner = angle(spec, position, (pair + 1) % spec.pairs());
                                   y[a] = x[a] * std::cos(own) + x[b] * std::sin(partner);
                                   y[b] = x[b] * std::cos(own) - x[a] * std::sin(own);
                                 }
                               });
                         });
}

Broken broken_gradient_without_amplitude() {
  auto result = broken_gradient("gradient-without-amplitude",
                                "the backward pass leaves the attention factor out", turning(-1, 1.0));
  result.spec = rope_with_amplitude();
  return result;
}

}  // namespace vernier
