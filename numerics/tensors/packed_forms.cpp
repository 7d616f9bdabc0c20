#include "numerics/tensors/packed_forms.hpp"

#include <array>

namespace vernier {
namespace {

using Unpacked = std::optional<std::map<std::string, Tensor>>;

Unpacked halves_of_rows(const Tensor& packed) {
  auto shape = packed.shape();
  if (shape.size() < 2 || shape.back() % 2 != 0) {
    return std::nullopt;
  }
  const auto half = shape.back() /= 2;
  const auto part = [&](std::size_t first) {
    return gathered(packed, shape,
                    [=](std::size_t i) { return i / half * 2 * half + first * half + i % half; });
  };
  return {{{"cos", part(0)}, {"sin", part(1)}}};
}

Unpacked parts_of_numbers(const Tensor& packed) {
  auto shape = packed.shape();
  if (shape.size() < 3 || shape.back() != 2) {
    return std::nullopt;
  }
  shape.pop_back();
  const auto part = [&](std::size_t which) {
    return gathered(packed, shape, [=](std::size_t i) { return 2 * i + which; });
  };
  return {{{"cos", part(0)}, {"sin", part(1)}}};
}

/// Each of cos and sin stands twice in a matrix: the tensor of both is two copies, [..., 2, T, pairs].
Unpacked elements_of_matrices(const Tensor& packed) {
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
  return {{{"cos", part({0, 3})}, {"sin", {packed.type(), shape, std::move(bytes)}}}};
}

}  // namespace

std::span<const PackedForm> packed_forms() {
  static constexpr std::array rows{
      // As vLLM keeps them.
      PackedForm{"cos_sin_cache", "[..., T, 2 pairs] or [..., T, 2 rotary_dim], cosines before sines",
                 halves_of_rows},
      // Real and imaginary parts, as torch.view_as_real() of Llama's freqs_cis has them.
      PackedForm{"freqs_cis", "[..., T, pairs] of complex numbers or [..., T, pairs, 2]", parts_of_numbers},
      // The matrix [[cos, -sin], [sin, cos]] of each pair, as FLUX's rope() returns them.
      PackedForm{"rotation_matrices", "[..., T, pairs, 2, 2] of a floating-point type",
                 elements_of_matrices}};
  return rows;
}

}  // namespace vernier
