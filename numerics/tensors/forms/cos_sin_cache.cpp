#include "numerics/tensors/forms/packed_form.hpp"

namespace vernier {
namespace {

std::optional<std::map<std::string, Tensor>> halves_of_rows(const Tensor& packed) {
  auto shape = packed.shape();
  if (shape.size() < 2 || shape.back() % 2 != 0) {
    return std::nullopt;
  }
  const auto half = shape.back() /= 2;
  const auto part = [&](std::size_t first) {
    return gathered(packed, shape,
                    [=](std::size_t i) { return i / half * 2 * half + first * half + i % half; });
  };
  return std::map<std::string, Tensor>{{"cos", part(0)}, {"sin", part(1)}};
}

}  // namespace

/// As vLLM keeps them.
PackedForm cos_sin_cache_form() {
  return {"cos_sin_cache", "[..., T, 2 pairs] or [..., T, 2 rotary_dim], cosines before sines",
          halves_of_rows};
}

}  // namespace vernier
