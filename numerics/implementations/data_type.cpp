#include "numerics/implementations/data_type.hpp"

#include <cstdint>

namespace vernier {

VernierDataType data_type(ElementType type) {
  const auto& of = traits(type);
  const auto bits = static_cast<std::uint8_t>(8 * of.bytes);
  if (of.format) {
    return {static_cast<std::uint8_t>(type == ElementType::bfloat16 ? VERNIER_BFLOAT : VERNIER_FLOAT), bits,
            1};
  }
  return {static_cast<std::uint8_t>(of.name.front() == 'u' ? VERNIER_UINT : VERNIER_INT), bits, 1};
}

}  // namespace vernier
