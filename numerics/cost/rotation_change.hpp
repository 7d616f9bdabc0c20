#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/cost/rotations.hpp"

namespace vernier {

/// A quantity that is no less than `lower` and no more than `upper`; infinite above if nothing bounds it.
struct ValueBounds {
  double lower = 0;
  double upper = 0;

  bool operator==(const ValueBounds&) const = default;
};

/// Both ends times a factor that is off by 2^-51 of itself at most, rounded outward. \pre factor >= 0
ValueBounds times(const ValueBounds& x, double factor);

/// How far the products of a query and a key may be off, and where.
struct DistanceChange {
  std::int64_t distance = 0;
  ValueBounds change;
  int pair = 0;
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
  DistanceChange worst;                     ///< over all positions and distances, where its lower end is
  std::vector<DistanceChange> by_distance;  ///< the greatest of all pairs and positions; ascending
  /// Whether the two dimensions of some pair turn by different columns: then no factor a is an enclosure.
  bool are_columns_apart = false;
};

/// The factors a at some rows, by pair and row; NaN where there is no number.
using ErrorsByPair = std::vector<std::vector<std::complex<double>>>;

/// E of the factors a and a'.
inline std::complex<double> factor_change(std::complex<double> a, std::complex<double> other) {
  const auto b = std::conj(other);
  return a + b + a * b;
}

/// The most that a factor a is off by, for |z'| <= 2 A: PhaseTurns is off by 2^-48 in each component, and the
/// quotient of z' and z rounds four times.
inline constexpr double factor_error = 0x1p-45;

/// The same times a factor. \pre factor >= 0
RotationChange scaled(RotationChange change, double factor);

/// Off by at most factor_error each.
ErrorsByPair errors_of(const Rotations& rotations);

/// The change by every pair, every row, and every two rows at the distances 0 to 4, then two to each power of
/// two, and the longest. \param rows whose errors are kept, ascending indices \param kept their errors
RotationChange measured_change(const Rotations& rotations, std::span<const std::size_t> rows,
                               ErrorsByPair& kept);

/// What a contract allows over positions 0 to n - 1, an upper end alone. The phase of a pair is p w (1 + r) +
/// h, with one r for all rows and |h| <= eta, so the phases of two rows at distance d differ from d w by at
/// most d w r + 2 eta, the chord by no more, and by 2 at most. Sine and cosine, their storage and the
/// amplitude move z' by at most sqrt(2) t A = m besides: |E| A^2 <= A^2 min(2, d w r + 2 eta) + 2 A m + m^2.
RotationChange allowed_change(const BudgetModel& model, std::int64_t n);
/// The same of one pair at one distance.
double allowed_change(const BudgetModel& model, std::int64_t n, std::int64_t distance, int pair);

}  // namespace vernier
