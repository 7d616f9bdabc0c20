// Inverses of rotations that are right.

#include "props/broken/broken_registry.hpp"
#include "props/broken/faulty_rope.hpp"

namespace vernier {
namespace {

Broken broken_inverse(std::string_view id, std::string_view description, MakeRotation inverse) {
  return {.id = id,
          .description = description,
          .caught_by = {"rope/inverse-returns"},
          .escapes = {"rope/accuracy", "rope/offset-only"},
          .rotation = turning(1),
          .inverse = std::move(inverse)};
}

}  // namespace

Broken broken_inverse_forward() {
  return broken_inverse("inverse-forward", "the inverse turns as the rotation does", turning(1));
}

Broken broken_inverse_amplitude() {
  auto result =
      broken_inverse("inverse-amplitude",
                     "the inverse negates the sine of tables that carry the attention factor: it is the "
                     "transpose, and multiplies where it should divide (Megatron-LM)",
                     turning(-1));
  result.spec = rope_with_amplitude();
  return result;
}

}  // namespace vernier
