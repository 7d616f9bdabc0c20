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
  static constexpr std::string_view scheme = "t5_bucket";

  std::int64_t num_buckets = 32;
  std::int64_t max_distance = 128;
  bool bidirectional = true;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  /// B
  std::int64_t buckets_a_direction() const { return bidirectional ? num_buckets / 2 : num_buckets; }
  /// m
  std::int64_t exact_distances() const { return buckets_a_direction() / 2; }
};

}  // namespace vernier
