#pragma once

#include <optional>
#include <span>
#include <string>

#include "numerics/formats/tensor.hpp"
#include "numerics/plugin/vernier_plugin.h"

namespace vernier {

/// The elements of somebody's tensor: in memory that the host reads, whatever its strides.
class StridedMemory {
 public:
  /// \param tensor its memory outlives this \param name what to call it in errors
  /// \throws InputError for a tensor in a device's memory, of elements that are no numbers of ours, or of no
  /// shape at all
  StridedMemory(const VernierTensor* tensor, const std::string& name);

  ElementType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  /// The elements where they lie, if the last index is fastest and nothing is between them.
  std::optional<std::span<std::byte>> dense() const;
  /// Copies the elements, the last index fastest. \param out as many bytes as they have
  void gather(std::span<std::byte> out) const;
  /// The other way.
  void scatter(std::span<const std::byte> from) const;

 private:
  /// Calls `visit` with each element's place, the last index fastest.
  template <class Visit>
  void for_each(const Visit& visit) const;

  ElementType type_;
  Shape shape_;
  std::vector<std::int64_t> strides_;  ///< in elements
  std::byte* data_;
  std::size_t bytes_;
};

/// The tensor as the host's own. Dense elements are not copied: their memory must outlive the result.
Tensor tensor_in(const StridedMemory& memory);

}  // namespace vernier
