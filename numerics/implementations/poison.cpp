#include "numerics/implementations/poison.hpp"

#include <cstring>

namespace vernier {
namespace {

template <typename Bits>
Bits element(std::span<const std::byte> bytes, std::size_t index) {
  Bits bits{};
  std::memcpy(&bits, bytes.data() + index * sizeof bits, sizeof bits);
  return bits;
}

/// The elements that still hold the poison. \tparam Bits as wide as an element
template <typename Bits>
std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::byte poison) {
  Bits pattern{};
  std::memset(&pattern, static_cast<int>(poison), sizeof pattern);
  const std::size_t elements = bytes.size() / sizeof pattern;
  // Counted first, as there is hardly ever one: a loop that collects nothing runs on vectors.
  std::size_t count = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    count += element<Bits>(bytes, i) == pattern ? 1 : 0;
  }
  std::vector<std::size_t> found;
  found.reserve(count);
  for (std::size_t i = 0; i < elements && found.size() < count; ++i) {
    if (element<Bits>(bytes, i) == pattern) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace

std::byte poison_for(std::uint64_t sequence) {
  return static_cast<std::byte>(0xf8 + sequence % 8);
}

std::vector<std::size_t> poisoned_elements(std::span<const std::byte> bytes, std::size_t width,
                                           std::byte poison) {
  switch (width) {
    case 1:
      return poisoned_elements<std::uint8_t>(bytes, poison);
    case 2:
      return poisoned_elements<std::uint16_t>(bytes, poison);
    case 4:
      return poisoned_elements<std::uint32_t>(bytes, poison);
    default:
      return poisoned_elements<std::uint64_t>(bytes, poison);
  }
}

}  // namespace vernier
