#pragma once

#include <cstdint>
#include <optional>

#include "reference/geometric_frequencies.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// What a RoPE scaling may depend on beside its own parameters.
struct RotaryContext {
  Rational rope_theta;                                       ///< b > 1
  int head_dim = 0;                                          ///< even
  int rotary_dim = 0;                                        ///< r, even, in [2, head_dim]
  Rational partial_rotary_factor = 1;                        ///< as the spec gives it, in (0, 1]
  std::optional<std::int64_t> max_position_embeddings = {};  ///< the model's stated context
  std::optional<std::int64_t> sequence_length = {};          ///< L, of the sequence that is encoded

  /// b^(-2i/r), what scaling starts from.
  GeometricFrequencies progression() const { return {rope_theta, Rational(2, rotary_dim), rotary_dim / 2}; }
  /// L, or where it is not said the whole context.
  std::optional<std::int64_t> length() const {
    return sequence_length ? sequence_length : max_position_embeddings;
  }
};

}  // namespace vernier
