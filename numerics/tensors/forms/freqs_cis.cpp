#include "numerics/tensors/forms/packed_form.hpp"

namespace vernier {
namespace {

std::optional<std::map<std::string, Tensor>> parts_of_numbers(const Tensor& packed) {
  auto shape = packed.shape();
  if (shape.size() < 3 || shape.back() != 2) {
    return std::nullopt;
  }
  shape.pop_back();
  const auto part = [&](std::size_t which) {
    return gathered(packed, shape, [=](std::size_t i) { return 2 * i + which; });
  };
  return std::map<std::string, Tensor>{{"cos", part(0)}, {"sin", part(1)}};
}

}  // namespace

/// Real and imaginary parts, as torch.view_as_real() of Llama's freqs_cis has them.
PackedForm freqs_cis_form() {
  return {"freqs_cis", "[..., T, pairs] of complex numbers or [..., T, pairs, 2]", parts_of_numbers};
}

}  // namespace vernier
