#pragma once

#include <algorithm>
#include <cstddef>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Reads elements of a tensor in every way there is, so that a sanitizer sees what that touches.
inline void read_elements(const Tensor& tensor) {
  constexpr std::size_t most = 1 << 12;
  const auto last = tensor.elements() - 1;
  (void)tensor.integer(0);
  (void)tensor.integer(last);
  if (tensor.format()) {
    std::vector<double> out(std::min(tensor.elements(), most));
    tensor.numbers(tensor.elements() - out.size(), out);
    (void)tensor.number(last);
  }
}

}  // namespace vernier
