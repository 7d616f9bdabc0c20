#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// A form in which an engine holds the cosines and sines of an encoding as one tensor.
struct PackedForm {
  std::string_view role;    ///< of that tensor in cases: "freqs_cis"
  std::string_view shapes;  ///< that it may have, in words
  /// The tensors that it holds, by their roles. Nothing of a tensor of another shape.
  std::optional<std::map<std::string, Tensor>> (*unpack)(const Tensor& packed);
};

/// Every form: packed_forms.cpp lists them.
std::span<const PackedForm> packed_forms();

/// The elements of a tensor in another order. \param index_of of an element of the result in the tensor
template <class IndexOf>
Tensor gathered(const Tensor& tensor, Shape shape, const IndexOf& index_of) {
  const auto width = traits(tensor.type()).bytes;
  const auto count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  std::vector<std::byte> bytes(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(bytes.data() + i * width, tensor.bytes().data() + index_of(i) * width, width);
  }
  return {tensor.type(), std::move(shape), std::move(bytes)};
}

}  // namespace vernier
