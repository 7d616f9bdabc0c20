#pragma once

#include <cstdint>
#include <optional>

#include "numerics/contracts/contract.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {

/// How often a cache may rotate a stored key on by one shift. Errors are shares of the norm of a pair of
/// dimensions, and bounds for whatever keeps the contract.
///
/// Let K be the stored pair, T = A e^(i p w) k the true one, |K - T| <= eps |T|. A move multiplies by e^(i d
/// w) (1 + a), |a| <= D(d) + sqrt(2) t: the error of the phase of d and of the cosine and sine. Two products
/// and a sum in the arithmetic's unit u move either component by at most (2u + u^2) (|x0 c| + |x1 s|), so the
/// pair by sqrt(2) (2u + u^2) |K|, and storage in a format of unit v by v of each component, so of the pair,
/// unless a component is below the least normal number. Hence 1 + eps becomes at most (1 + eps) (1 + m),
///
///     1 + m = (1 + a) (1 + sqrt(2) (2u + u^2)) (1 + v),
///
/// and after n moves of a key whose first rotation is off by e the bound is (1 + e) (1 + m)^n - 1.
struct Moves {
  std::int64_t shift = 0;
  double first = 0;       ///< e: of a key at any position of the context, as it is first rotated and stored
  double of_one = 0;      ///< m
  double limit = 0;       ///< conclusive_share: from there on an error proves nothing
  std::int64_t most = 0;  ///< the moves after which the bound is still within the limit
  /// \name What known mistakes do at the first move, as shares of the norm; nothing where they do nothing
  /// @{
  std::optional<double> amplitude_again;  ///< multiplying by the attention factor again: |A - 1|
  /// Rotating by the frequencies before the scaling: the greatest chord |e^(i d w) - e^(i d w')|.
  std::optional<double> scaling_ignored;
  /// @}
};

/// \param stored the format of the cache \param n positions 0 to n - 1
Moves moves_of(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
               std::int64_t shift);

}  // namespace vernier
