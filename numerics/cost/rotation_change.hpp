#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/cost/stored_rotations.hpp"
#include "numerics/cost/value_bounds.hpp"
#include "numerics/searches/phase_turns.hpp"

namespace vernier {

/// How far the products of a query and a key may be off at one distance.
struct DistanceChange {
  std::int64_t distance = 0;
  ValueBounds change;  ///< the greatest of all pairs and positions at this distance
  int pair = 0;        ///< where it is
};

/// How far errors of rotations move the score of a query and a key, as a share of |q| |k|.
///
/// A pair of dimensions is a complex number, its rotation a factor z(p) = A e^(i p w), and the score the sum
/// over pairs of Re(q conj(k) z(p) conj(z(p'))). An implementation has other factors z'(p) = A e^(i p w) (1 +
/// a(p)) and moves the score by the sum of Re(q conj(k) A^2 e^(i (p-p') w) E), E = (1 + a)(1 + conj a') - 1,
/// which is at most the sum of |q| |k| A^2 |E| (Cauchy-Schwarz in each pair), so at most the greatest A^2 |E|
/// of all pairs times the norms of the whole vectors (Cauchy-Schwarz over the pairs). A query and a key with
/// all of their length in that pair attain it.
///
/// An error that both sides share does not count: a wrong frequency turns both, and E depends on the distance
/// alone.
struct RotationChange {
  ValueBounds worst;                ///< over all positions and distances
  std::int64_t worst_distance = 0;  ///< where its lower end is attained, in the pair `worst_pair`
  int worst_pair = 0;
  std::vector<DistanceChange> by_distance;  ///< ascending
  /// Whether the two dimensions of some pair turn by different columns: then no factor a is an enclosure.
  bool are_columns_apart = false;
};

/// What attention at some rows needs: the factors a, row by row, a pair each.
struct ErrorsOfRows {
  std::vector<std::int64_t> positions;
  int pairs = 0;
  std::vector<std::complex<double>> errors;  ///< a, to factor_error; NaN where there is no number
  std::span<const std::complex<double>> row(std::size_t index) const {
    return std::span(errors).subspan(index * static_cast<std::size_t>(pairs),
                                     static_cast<std::size_t>(pairs));
  }
};

/// Sines and cosines of every pair.
std::vector<PhaseTurns> turns_of(const Frequencies& frequencies);

/// The distances that are told of a context of n positions: 0 to 4, then two to each power of two, and n - 1.
std::vector<std::int64_t> told_distances(std::int64_t n);

/// The most that a factor a is off by, for |z'| <= 2 A: PhaseTurns is off by 2^-48 in each component, and the
/// quotient of z' and z rounds four times.
inline constexpr double factor_error = 0x1p-45;

/// That of stored rotations, exhaustively: every pair, every row, and every two rows at the told distances.
/// \param rows indices of rows whose errors are kept, ascending \param kept their errors
RotationChange measured_change(const StoredRotations& rotations, std::span<const std::size_t> rows,
                               ErrorsOfRows& kept);

/// What a contract allows over positions 0 to n - 1, an upper end alone. The phase of a pair is p w (1 + r) +
/// h, with one r for all rows and |h| <= eta, so the phases of two rows at distance d differ from d w by at
/// most d w r + 2 eta, the chord by no more, and by 2 at most. Sine and cosine, their storage and the
/// amplitude move z' by at most sqrt(2) t A = m besides: |E| A^2 <= A^2 min(2, d w r + 2 eta) + 2 A m + m^2.
RotationChange allowed_change(const BudgetModel& model, std::int64_t n);
/// The same by pair, at one distance.
std::vector<double> allowed_change_by_pair(const BudgetModel& model, std::int64_t n, std::int64_t distance);

}  // namespace vernier
