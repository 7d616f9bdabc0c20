#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "numerics/searches/phase_turns.hpp"
#include "numerics/tensors/case.hpp"

namespace vernier {

/// What an implementation turns queries and keys by at some positions, beside what is meant: the factor of
/// each pair is z(p) = A e^(i p w), and the implementation's is z'(p) = c + i s.
struct Rotations {
  std::vector<PhaseTurns> meant;        ///< e^(i p w), one a pair
  double amplitude = 1;                 ///< A > 0
  std::vector<std::int64_t> positions;  ///< of the rows, ascending, each once

  /// The implementation's factors of one pair.
  struct PairRows {
    std::vector<std::complex<double>> factors;  ///< a row each
    /// The two dimensions of a pair may be turned by columns of their own: the most that a row of the others
    /// is apart from `factors`.
    double apart = 0;
  };
  std::function<PairRows(std::size_t pair)> read;  ///< safe to call from several threads
};

/// Sines and cosines of every pair.
std::vector<PhaseTurns> turns_of(const Frequencies& frequencies);

/// Those that a recipe makes and stores, bit for bit. \param table its columns do not matter
Rotations rotations_of(const Recipe& recipe, TrigTable table, Format stored, const PositionRange& positions);

/// Those of the tables of a case, of the first copy of its rows. \pre the case outlives them
/// Nothing for a case that has not both components of every pair of one rotary encoding, or whose rows have
/// fractions for positions, several of them, or a scale.
std::optional<Rotations> rotations_of(const Case& subject);

/// Whether it turns queries and keys by one integer position each, which is what errors of scores follow
/// from: an inverse leaves attention, and a shift turns cached keys once more.
bool turns_queries_and_keys(const HeadRotation& rotation);

/// A quantity that is no less than `lower` and no more than `upper`; infinite above if nothing bounds it.
struct ValueBounds {
  double lower = 0;
  double upper = 0;
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
