#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

/// The relative position buckets of T5 (C. Raffel et al., 2020; mesh_tensorflow's _relative_position_bucket).
///
/// r = key - query. Both directions: the upper half of the buckets is for keys ahead (r > 0), and each half
/// has B = num_buckets/2 of them for n = |r|. One direction: B = num_buckets for n = max(-r, 0). With m =
/// floor(B/2), distances below m have a bucket each; the others share, bucket min(B - 1, m + floor((B - m)
/// ln(n/m) / ln(max_distance/m))).
struct T5BucketSpec {
  std::int64_t num_buckets = 32;    ///< [2, 1024], even and at least 4 if bidirectional
  std::int64_t max_distance = 128;  ///< (m, 2^31]
  bool bidirectional = true;

  /// B
  std::int64_t buckets_a_direction() const { return bidirectional ? num_buckets / 2 : num_buckets; }
  /// m
  std::int64_t exact_distances() const { return buckets_a_direction() / 2; }
};

class T5BucketEncoding final : public Encoding {
 public:
  explicit T5BucketEncoding(const T5BucketSpec& spec) : spec_(spec) {}

  std::string_view scheme() const override { return "t5_bucket"; }
  std::string summary() const override;
  OrderedJson spec() const override;
  std::vector<TensorDefinition> define_tensors() const override;

 private:
  T5BucketSpec spec_;
};

}  // namespace vernier
