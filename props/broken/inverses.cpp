// Inverses of rotations that are right.

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {
namespace {

using Make = std::function<std::unique_ptr<RotationUnderTest>(const RopeSpec&)>;

/// What turns by the spec, times the amplitude.
Make turning(double sense) {
  return [=](const RopeSpec& spec) {
    const double by = approximately(spec.amplitude());
    return rotation_of(spec, [=](std::int64_t m, std::span<const double> x, std::span<double> y) {
      turn(spec, static_cast<double>(m), x, y, sense, by);
    });
  };
}

Broken broken(std::string_view id, std::string_view description, Make inverse) {
  return {.id = id,
          .description = description,
          .caught_by = {"rope/inverse-returns"},
          .escapes = {"rope/accuracy", "rope/offset-only"},
          .rotation = turning(1),
          .inverse = std::move(inverse)};
}

}  // namespace

Broken broken_inverse_forward() {
  return broken("inverse-forward", "the inverse turns as the rotation does", turning(1));
}

Broken broken_inverse_amplitude() {
  auto result = broken("inverse-amplitude",
                       "the inverse negates the sine of tables that carry the attention factor: it is the "
                       "transpose, and multiplies where it should divide (Megatron-LM)",
                       turning(-1));
  result.spec = rope_with_amplitude();
  return result;
}

}  // namespace vernier
