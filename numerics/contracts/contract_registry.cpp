#include <algorithm>
#include <cassert>

#include "numerics/contracts/contracts.hpp"

namespace vernier {

std::span<const Contract> contracts() {
  static const auto all = make_all(contract_makers);
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
