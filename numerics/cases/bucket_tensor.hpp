#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tensor_definition.hpp"

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

/// One bucket, judged.
struct BucketElement {
  std::size_t index = 0;
  std::int64_t relative_position = 0;
  std::int64_t got = 0;
  Bucket expected = {};
};

struct BucketReport {
  std::uint64_t elements = 0;
  std::uint64_t failing = 0;
  std::uint64_t across_edge = 0;  ///< wrong, but allowed: on the other side of an edge they lie on
  std::optional<BucketElement> first_failing = std::nullopt;
};

BucketReport audit_buckets(const BucketTensor& subject);

}  // namespace vernier
