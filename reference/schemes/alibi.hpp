#pragma once

#include <cstdint>

#include "reference/schemes/encoding.hpp"

namespace vernier {

/// Attention with linear biases (O. Press et al., "Train Short, Test Long", 2022).
///
/// Head h of n heads has the slope 2^(-max_bias (h+1)/n) if n is a power of two. Else, by the authors' code,
/// with c the largest power of two below n: the c slopes of c heads, then every other of the slopes of 2c
/// heads, from the first on.
struct AlibiSpec {
  /// What the slopes multiply. key_position: the key's position (BLOOM, Falcon). distance_to_last: how far
  /// the key is behind the last one, negative (MPT). distance: how far query and key are apart, negative
  /// (flash-attention, ggml). Within a causal row they differ by a constant, which the softmax does not see.
  enum class Bias { key_position, distance_to_last, distance };

  static constexpr std::string_view scheme = "alibi";

  std::int64_t num_heads = 0;
  Bias bias = Bias::key_position;
  Rational max_bias = 8;

  void keys(KeyVisitor& visit);
  std::string summary() const;
  std::vector<Slope> slopes() const;
  /// slopes and bias.
  std::vector<TensorDefinition> tensors() const;
};

}  // namespace vernier
