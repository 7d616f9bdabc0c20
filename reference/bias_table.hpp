#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/interval.hpp"
#include "reference/rational.hpp"

namespace vernier {

/// A slope 2^-(step power), written as implementations compute it: 2^-step to the power.
struct Slope {
  Rational step;           ///< > 0
  std::int64_t power = 1;  ///< >= 1

  /// An enclosure at the working precision, a point where the exponent is an integer.
  Interval enclosure() const;
};

/// Biases on attention scores that are linear in a position or a distance: slope of the head times an integer
/// factor. The slopes themselves are the biases of the factor one.
struct BiasTable {
  /// With p the positions of the K keys, and the Q queries at the last Q of them: nothing but the slope;
  /// p_k; p_k - p_(K-1); -|p_q - p_k|.
  enum class Factor { one, key_position, distance_to_last, distance };

  std::string role;           ///< of tensors that hold it: "slopes" [H], "bias" [H, K] or [H, Q, K]
  std::vector<Slope> slopes;  ///< one a head
  Factor factor = Factor::one;

  /// What multiplies the slope: at most 2^32 in magnitude.
  /// \param keys the positions of the K keys; ignored for the factor one \param queries Q, at most K
  /// \param query, key indices
  std::int64_t multiplier(std::span<const std::int64_t> keys, std::size_t queries, std::size_t query,
                          std::size_t key) const;
};

}  // namespace vernier
