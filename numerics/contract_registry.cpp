#include <algorithm>
#include <array>
#include <cassert>

#include "numerics/contracts/contracts.hpp"

namespace vernier {

std::span<const Contract> contracts() {
  static const std::array all{
      exact_contract(),
      correctly_rounded_contract(),
      faithful_contract(),
      float64_contract(),
      float32_contract(),
      float16_contract(),
      bfloat16_contract(),
      float32_iterated_contract(),
      float32_ratio_power_contract(),
      float32_interpolated_contract(),
  };
  return all;
}

const Contract* contract_named(std::string_view id) {
  const auto found = std::ranges::find(contracts(), id, &Contract::id);
  return found == contracts().end() ? nullptr : &*found;
}

const Contract& default_contract(Format stored) {
  const auto* contract = contract_named(stored == Format::binary64 ? "float64" : "float32");
  assert(contract != nullptr);
  return *contract;
}

}  // namespace vernier
