#pragma once

#include <cstddef>

#include "numerics/tensors/tensor_of.hpp"

namespace vernier {

/// A tensor of slopes or biases of a floating-point type: [heads], [heads, keys] or [heads, queries, keys].
struct BiasTensor : TensorOf<BiasTable> {
  std::size_t queries() const { return tensor.shape().size() == 3 ? tensor.shape()[1] : 1; }
  std::size_t keys() const { return tensor.shape().size() == 1 ? 1 : tensor.shape().back(); }
  /// Those that its frequencies are of; null of other biases.
  const TrigTable* bound_sines() const { return table.sines.get(); }
};

}  // namespace vernier
