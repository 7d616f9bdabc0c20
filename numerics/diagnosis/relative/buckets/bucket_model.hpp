#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "numerics/diagnosis/relative/edit_search.hpp"
#include "numerics/tensors/bucket_tensor.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// A computation of buckets that may be faulty.
struct BucketComputation {
  BucketRule rule;
  std::function<std::int64_t(std::int64_t relative_position)> input = nullptr;  ///< made before it
  std::function<std::int64_t(std::int64_t bucket)> output = nullptr;            ///< made after it

  Bucket operator()(std::int64_t relative_position) const;
};

/// The buckets that a relative position got, each once.
struct ObservedBucket {
  std::int64_t relative_position = 0;
  std::int64_t bucket = 0;
  std::uint64_t elements = 0;
};

/// What is to be explained.
struct BucketSubject {
  const BucketTensor& buckets;
  const Encoding& encoding;
  std::vector<ObservedBucket> observed;  ///< in the order of relative positions
  std::int64_t reach = 1;                ///< the largest magnitude among them

  BucketComputation declared() const { return {buckets.table.rule}; }
  bool is(std::string_view scheme) const { return encoding.scheme() == scheme; }
  std::int64_t declared_integer(std::string_view key) const;
  bool declared_flag(std::string_view key) const;
  bool holds(const BucketComputation& model, const ObservedBucket& observed) const;
  /// What a relative position near 0 got.
  const ObservedBucket& nearest_to_zero() const;
};
BucketSubject subject_of(const BucketTensor& buckets, const Encoding& encoding);

using BucketEdit = ModelEdit<BucketComputation>;
using BucketEdits = ModelEdits<BucketComputation>;

/// The order of edits of buckets.
namespace bucket_order {
inline constexpr int rule = 0;
inline constexpr int input = 1;
inline constexpr int output = 2;
}  // namespace bucket_order

/// An edit that replaces the rule.
BucketEdit with_rule(Finding finding, double bits, BucketRule rule);
/// A relative position beyond the declared reach of a rule may be asked of another one.
std::int64_t reach_of(const BucketSubject& subject);

/// Whatever the scheme.
BucketEdits bucket_edits(const BucketSubject& subject);
/// Of schemes with a logarithmic scale.
BucketEdits logarithmic_edits(const BucketSubject& subject);

}  // namespace vernier
