#pragma once

#include <cstdint>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"

namespace vernier {

/// How a logarithmic scale becomes whole numbers.
enum class ScaleRounding { down, nearest, up };

/// What the buckets of T5 and of DeBERTa are computed by, with what may be wrong in it. Distances below
/// `exact` have buckets of their own; of a farther one n it is exact + steps ln(n/exact) / ln(last/exact), as
/// a whole number.
struct LogarithmicBuckets {
  enum Measure : std::int64_t { magnitude, behind, negated };

  std::int64_t measure = magnitude;  ///< of relative positions: |r|, max(-r, 0) or -r
  std::int64_t more_behind = 0;      ///< that distances of keys behind the query are larger by
  std::int64_t more_itself = 0;      ///< the same of its own key
  std::int64_t more_ahead = 0;       ///< the same of keys ahead of it
  std::int64_t farthest = 0;         ///< that distances are held to; 0 for none
  std::int64_t exact = 1;
  std::int64_t keeps_exact = 0;  ///< whether the distance `exact` has its own bucket whatever is added
  std::int64_t last = 2;
  std::int64_t steps = 1;
  std::int64_t rounding = static_cast<std::int64_t>(ScaleRounding::down);
  std::int64_t far_shift = 0;  ///< added to the buckets of the scale
  std::int64_t greatest = unbounded;
  std::int64_t ahead = 0;        ///< added for keys ahead of the query
  std::int64_t least_ahead = 1;  ///< the first relative position that is ahead
  std::int64_t is_signed = 0;    ///< whether a bucket has the sign of the relative position

  static constexpr std::int64_t unbounded = std::int64_t{1} << 40;

  std::int64_t distance(std::int64_t relative_position) const;
  /// Where a bucket is that this gives for the relative position, without a sign and a direction.
  std::int64_t unsigned_bucket(std::int64_t relative_position, std::int64_t bucket) const;
};

/// As the spec declares it, but with so many buckets.
LogarithmicBuckets logarithmic_buckets(const BucketSubject& subject, std::int64_t buckets);

/// The keys of a scheme that has logarithmic buckets; null of others.
struct LogarithmicKeys {
  std::string_view scheme;
  std::string_view range;  ///< "max_distance"
  std::string_view buckets;
};
const LogarithmicKeys* logarithmic_keys(const BucketSubject& subject);

/// Another range with which all buckets agree, as far as they tell, whichever sign relative positions have.
BucketEdits other_ranges(const BucketSubject& subject);
/// Other numbers of buckets with which all agree, if need be with another range.
BucketEdits other_bucket_counts(const BucketSubject& subject);

}  // namespace vernier
