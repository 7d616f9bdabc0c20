#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// The buckets that an implementation gave to relative positions, and the contract it is held to.
struct BucketTensor {
  BucketTable table;
  std::vector<std::int64_t> relative_positions;
  std::vector<std::int64_t> buckets;  ///< as many
  ElementType stored;                 ///< of the buckets
  const Contract* contract;           ///< never null, with a tolerance for buckets

  std::string role() const { return std::string(role_of(table)); }
};

}  // namespace vernier
