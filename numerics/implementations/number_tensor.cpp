#include "numerics/implementations/number_tensor.hpp"

#include <vector>

namespace vernier {

Tensor number_tensor(ElementType type, Shape shape, std::span<const double> values) {
  const auto width = traits(type).bytes;
  std::vector<std::byte> bytes;
  bytes.reserve(values.size() * width);
  for (const double value : values) {
    const std::uint64_t bits = encode_bits(*traits(type).format, value);
    for (std::size_t i = 0; i < width; ++i) {
      bytes.push_back(static_cast<std::byte>(bits >> (8 * i)));
    }
  }
  return {type, std::move(shape), std::move(bytes)};
}

}  // namespace vernier
