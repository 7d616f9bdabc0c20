#include <array>

#include "numerics/tensors/forms/packed_form.hpp"

namespace vernier {
namespace {

/// Each of cos and sin stands twice in a matrix: the tensor of both is two copies, [..., 2, T, pairs].
std::optional<std::map<std::string, Tensor>> elements_of_matrices(const Tensor& packed) {
  auto shape = packed.shape();
  if (shape.size() < 4 || shape.back() != 2 || shape[shape.size() - 2] != 2 || !packed.format()) {
    return std::nullopt;
  }
  shape.resize(shape.size() - 2);
  const auto copy = shape.back() * shape[shape.size() - 2];
  shape.insert(shape.end() - 2, 2);
  const auto part = [&](std::array<std::size_t, 2> in_matrix) {
    return gathered(packed, shape, [&](std::size_t i) {
      return 4 * (i / (2 * copy) * copy + i % copy) + in_matrix[i / copy % 2];
    });
  };
  const auto sines = part({2, 1});
  // The second is -sin: no format rounds a number and its negative differently. Zeros stay, as the sign of
  // one may stand for NaN.
  std::vector<std::byte> bytes(sines.bytes().begin(), sines.bytes().end());
  const auto width = traits(packed.type()).bytes;
  for (std::size_t i = 0; i < sines.elements(); ++i) {
    if (i / copy % 2 == 1 && sines.number(i) != 0) {
      bytes[(i + 1) * width - 1] ^= std::byte{0x80};
    }
  }
  return std::map<std::string, Tensor>{{"cos", part({0, 3})},
                                       {"sin", {packed.type(), shape, std::move(bytes)}}};
}

}  // namespace

/// The matrix [[cos, -sin], [sin, cos]] of each pair, as FLUX's rope() returns them.
PackedForm rotation_matrices_form() {
  return {"rotation_matrices", "[..., T, pairs, 2, 2] of a floating-point type", elements_of_matrices};
}

}  // namespace vernier
