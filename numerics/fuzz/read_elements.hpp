#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/support/input_error.hpp"

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

/// The same for all tensors of a file.
template <class StoredTensors>
void read_all(const StoredTensors& tensors) {
  for (const auto& stored : tensors) {
    if (stored.tensor) {
      read_elements(*stored.tensor);
    }
  }
}

/// Gives the bytes to a reader, which may refuse them. They are copied to memory of exactly their size, so
/// that the sanitizer watches a byte too far.
template <class Reader>
int read_bytes(const std::uint8_t* data, std::size_t size, Reader reader) {
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(first, first + size);
  try {
    reader(bytes);
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace vernier
