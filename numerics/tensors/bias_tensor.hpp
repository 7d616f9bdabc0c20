#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/errors/elementwise_report.hpp"
#include "numerics/tensors/tensor_of.hpp"

namespace vernier {

/// A tensor of slopes or biases of a floating-point type: [heads], [heads, keys] or [heads, queries, keys].
struct BiasTensor : TensorOf<BiasTable> {
  std::size_t queries() const { return tensor.shape().size() == 3 ? tensor.shape()[1] : 1; }
  std::size_t keys() const { return tensor.shape().size() == 1 ? 1 : tensor.shape().back(); }
};

/// Judges every element. \param keys the positions of the keys, as many as the tensor has; ignored for slopes
inline ElementwiseReport audit_elements(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  const auto queries = bias.tensor.shape().size() == 3 ? bias.queries() : 0;
  return audit_elements<BiasTable>(bias, SourceRows{.positions = keys, .queries = queries});
}

}  // namespace vernier
