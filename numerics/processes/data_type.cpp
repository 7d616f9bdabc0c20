#include "numerics/processes/data_type.hpp"

#include <algorithm>
#include <cstdint>

namespace vernier {
namespace {

std::uint8_t code_of(const ElementTraits& type) {
  switch (type.type) {
    case ElementType::float8_e4m3fn:
      return VERNIER_FLOAT8_E4M3FN;
    case ElementType::float8_e4m3fnuz:
      return VERNIER_FLOAT8_E4M3FNUZ;
    case ElementType::float8_e5m2:
      return VERNIER_FLOAT8_E5M2;
    case ElementType::float8_e5m2fnuz:
      return VERNIER_FLOAT8_E5M2FNUZ;
    case ElementType::bfloat16:
      return VERNIER_BFLOAT;
    default:
      return type.format ? VERNIER_FLOAT : type.name.front() == 'u' ? VERNIER_UINT : VERNIER_INT;
  }
}

}  // namespace

VernierDataType data_type(ElementType type) {
  const auto& of = traits(type);
  return {code_of(of), static_cast<std::uint8_t>(8 * of.bytes), 1};
}

std::optional<ElementType> element_type_of(const VernierDataType& type) {
  const auto found = std::ranges::find_if(element_types(), [&](const ElementTraits& one) {
    const auto its = data_type(one.type);
    return its.code == type.code && its.bits == type.bits && its.lanes == type.lanes;
  });
  return found == element_types().end() ? std::nullopt : std::optional(found->type);
}

}  // namespace vernier
