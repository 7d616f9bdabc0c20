#pragma once

#include <cstdint>

#include "reference/encoding.hpp"

namespace vernier {

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
