#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Where the rows of a tensor lie in memory if there is padding behind each, and again behind each group of
/// them: behind each head, behind each batch. Without padding it is dense, one row after another.
class PaddedRows {
 public:
  /// \param padding in elements; tensors of one dimension have none
  /// \throws InputError if there is no room for such a tensor
  PaddedRows(ElementType type, const Shape& shape, std::size_t padding);

  /// Of each dimension, in elements; empty if the tensor is dense.
  std::span<const std::int64_t> strides() const { return strides_; }
  /// From the first element to the last.
  std::size_t bytes() const { return start(rows_ - 1) + row_bytes_; }
  std::size_t dense_bytes() const { return rows_ * row_bytes_; }

  /// Places the elements of a dense tensor; the padding stays as it is. \param memory of bytes()
  void spread(std::span<const std::byte> dense, std::span<std::byte> memory) const;
  /// The reverse.
  void gather(std::span<const std::byte> memory, std::span<std::byte> dense) const;
  /// What of the padding is no longer of this value: "12 bytes between its rows, the first behind row 3".
  std::optional<std::string> changed_padding(std::span<const std::byte> memory, std::byte value) const;

 private:
  std::size_t start(std::size_t row) const;

  Shape groups_;  ///< the dimensions of the rows
  std::vector<std::int64_t> strides_;
  std::size_t element_bytes_;
  std::size_t rows_ = 1;  ///< a dense tensor is one
  std::size_t row_bytes_ = 0;
};

}  // namespace vernier
