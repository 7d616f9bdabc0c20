#pragma once

#include <cstdint>

#include "reference/schemes/encoding.hpp"

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

/// The logarithmic relative position buckets of DeBERTa v2 and v3 (P. He et al.; make_log_bucket_position).
///
/// With m = floor(bucket_size/2), relative positions up to |r| = m keep their value; beyond, the bucket is
/// sign(r) (m + ceil((m - 1) ln(|r|/m) / ln((max_position - 1)/m))). Buckets have signs; whoever looks them
/// up adds an offset.
struct DebertaBucketSpec {
  static constexpr std::string_view scheme = "deberta_bucket";

  std::int64_t bucket_size = 256;
  std::int64_t max_position = 512;
  /// Whether |r| is first held to max_position - 1: Microsoft's code does, Hugging Face's does not. The same
  /// for every |r| < max_position.
  bool clamp = false;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<TensorDefinition> tensors() const;
  /// m
  std::int64_t exact_distances() const { return bucket_size / 2; }
};

}  // namespace vernier
