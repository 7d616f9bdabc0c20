#include "numerics/implementations/number_tensor.hpp"

#include <cstring>
#include <vector>

namespace vernier {

Tensor number_tensor(ElementType type, Shape shape, std::span<const double> values) {
  const auto width = traits(type).bytes;
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = encode_bits(*traits(type).format, values[i]);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return {type, std::move(shape), std::move(bytes)};
}

}  // namespace vernier
