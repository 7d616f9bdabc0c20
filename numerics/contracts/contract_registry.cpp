#include <algorithm>
#include <cassert>

#include "numerics/contracts/contracts.hpp"

namespace vernier {

namespace {

/// Which of a contract's terms a definition needs.
struct Judges {
  const Contract& contract;

  bool operator()(const BiasTable& table) const {
    return table.curves.empty() ? contract.of_slope != nullptr : contract.of_computed != nullptr;
  }
  bool operator()(const BucketTable&) const { return contract.of_buckets != BucketTolerance::undefined; }
  bool operator()(const ExactTable& table) const {
    return table.computed ? contract.of_computed != nullptr
                          : contract.of_values != nullptr && (!table.sines || contract.of_sines != nullptr);
  }
  template <class OfSines>
  bool operator()(const OfSines&) const {
    return contract.of_sines != nullptr;
  }
};

}  // namespace

bool Contract::judges(const TensorDefinition& definition) const {
  return std::visit(Judges{*this}, definition);
}

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
