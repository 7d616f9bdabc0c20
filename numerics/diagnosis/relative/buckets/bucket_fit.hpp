#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"

namespace vernier {

/// The natural logarithm of how far a logarithmic scale reaches, last/first: in (above, to].
struct LogRange {
  double above = 0;
  double to = 0;  ///< may be infinite
};

/// A logarithmic scale whose parameters can be read off the buckets that it gave.
struct ScaleFit {
  std::string_view range_key;    ///< of the spec: "max_distance"
  std::string_view buckets_key;  ///< "num_buckets"
  std::int64_t least_buckets;
  std::int64_t buckets_step;
  /// What the buckets leave open of the range, for so many buckets. \param sign of relative positions, 1 or
  /// -1
  std::function<std::optional<LogRange>(std::int64_t buckets, int sign)> log_range;
  /// The parameter of the spec that a range is.
  std::function<double(std::int64_t buckets, double log_range)> range;
};

ScaleFit t5_fit(const BucketSubject& subject);
ScaleFit deberta_fit(const BucketSubject& subject);

/// Another range with which all buckets agree, as far as they tell.
BucketEdits other_ranges(const BucketSubject& subject, const ScaleFit& fit);
/// Other numbers of buckets with which all agree, if need be with another range.
BucketEdits other_bucket_counts(const BucketSubject& subject, const ScaleFit& fit);

}  // namespace vernier
