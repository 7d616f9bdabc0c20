#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace vernier {

Bucket BucketComputation::operator()(std::int64_t relative_position) const {
  auto bucket = rule(input ? input(relative_position) : relative_position);
  if (output) {
    bucket.index = output(bucket.index);
    if (bucket.across) {
      bucket.across = output(*bucket.across);
    }
  }
  return bucket;
}

std::int64_t BucketSubject::declared_integer(std::string_view key) const {
  return encoding.spec().at(std::string(key)).get<std::int64_t>();
}

bool BucketSubject::declared_flag(std::string_view key) const {
  return encoding.spec().at(std::string(key)).get<bool>();
}

bool BucketSubject::holds(const BucketComputation& model, const ObservedBucket& one) const {
  const auto expected = model(one.relative_position);
  return one.bucket == expected.index ||
         (buckets.contract->of_buckets == BucketTolerance::across_edge && expected.across == one.bucket);
}

const ObservedBucket& BucketSubject::nearest_to_zero() const {
  return *std::ranges::min_element(observed, {},
                                   [](const ObservedBucket& one) { return std::abs(one.relative_position); });
}

BucketSubject subject_of(const BucketTensor& buckets, const Encoding& encoding) {
  BucketSubject subject{buckets, encoding, {}};
  for (std::size_t i = 0; i < buckets.buckets.size(); ++i) {
    subject.observed.push_back({buckets.relative_positions[i], buckets.buckets[i], 1});
    subject.reach = std::max(subject.reach, std::abs(buckets.relative_positions[i]));
  }
  auto& observed = subject.observed;
  std::ranges::sort(observed, {},
                    [](const ObservedBucket& one) { return std::tuple(one.relative_position, one.bucket); });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < observed.size(); ++i) {
    if (observed[kept].relative_position == observed[i].relative_position &&
        observed[kept].bucket == observed[i].bucket) {
      ++observed[kept].elements;
    } else {
      observed[++kept] = observed[i];
    }
  }
  observed.resize(std::min(observed.size(), kept + 1));
  return subject;
}

BucketEdit with_rule(Finding finding, double bits, BucketRule rule) {
  return {std::move(finding), bits, bucket_order::rule,
          [rule = std::move(rule)](BucketComputation& model) { model.rule = rule; }};
}

std::int64_t reach_of(const BucketSubject& subject) {
  // Edits of relative positions add a little.
  return subject.reach + 2;
}

}  // namespace vernier
