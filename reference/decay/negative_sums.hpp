#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/frequencies/frequencies.hpp"

namespace vernier {

/// The sum of cos(m w_i) over all pairs of a head, with one for each pair that does not turn: half the score
/// of a vector of ones and itself m places apart. Men et al. (arXiv 2405.14591) ask of a base that it is not
/// negative at any offset below the context.
struct CosineSum {
  Frequencies frequencies;
  int still = 0;  ///< pairs that do not turn; >= 0
};

/// The least m in [1, last] at which the sum is negative, with proof of that and of the signs before it;
/// nothing if there is none. The matrix product of dot_products() decides but the offsets whose sums are
/// within its error of zero, which enclosures decide. \throws std::runtime_error if 512 bits do not tell a
/// sum from zero
std::optional<std::int64_t> first_negative_sum(const CosineSum& sum, std::int64_t last);

/// A range of bases at each of which the criterion is decided alike: the pairs are base^(-i/pairs).
struct DecidedBases {
  double lower = 0;
  double upper = 0;
  /// An offset at which the sum is negative for all the bases; 0 if it is negative at no offset in [1, last]
  /// for any of them.
  std::int64_t negative_at = 0;

  bool holds() const { return negative_at == 0; }
};

/// The bases from `from` to `to` in ranges, in order, each proved. Between two of them lies a gap of a
/// relative width of 4e-9 at most, within which nothing is said. With t = ln b, x_i = i/n and w_i = b^-x_i,
/// d/dt sum cos(m w_i) = m sum x_i w_i sin(m w_i), and the second derivative is at most
/// M = m sum x_i^2 w_i + m^2 sum x_i^2 w_i^2, which falls in t: so what holds of the sum at one base holds
/// until the parabola of slope and -M/2 meets zero. \param pairs n >= 1 \param last >= 1 \param from > 1
/// \param to >= from
std::vector<DecidedBases> decided_bases(int pairs, std::int64_t last, double from, double to);

/// Neighbours of the same answer as one range, the gaps between them included if they are answered alike:
/// so the ranges alternate, and each end is within 4e-9 of a base at which the answer changes.
std::vector<DecidedBases> alternating(const std::vector<DecidedBases>& ranges);

}  // namespace vernier
