#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/cost/rotation_change.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {

/// A vector by the pairs that turn: a complex number each, and behind them the dimensions that pass through.
using PairedVector = std::vector<std::complex<double>>;

/// Rounded up.
double norm_of(const PairedVector& vector);
/// Vectors of one norm, of directions that are equally likely. \param seed the same one draws the same
std::vector<PairedVector> drawn_vectors(std::size_t count, std::size_t pairs, std::size_t passing,
                                        double norm, std::uint64_t seed);
/// Vectors before they are rotated. \param tensor [..., rows, head_dim]
/// \throws InputError for what is not of that shape or not finite
std::vector<PairedVector> paired_vectors(const Tensor& tensor, const std::string& source,
                                         const HeadRotation& rotation);

/// What turns queries and keys at some positions, and what errs.
struct TurnedRows {
  std::vector<PhaseTurns> meant;
  double amplitude = 1;
  int direction = 1;  ///< HeadRotation::direction()
  std::vector<std::int64_t> positions;
  ErrorsByPair errors;  ///< of these rows
};

/// What a sum or a product in binary64 rounds by at most, with room.
inline constexpr double rounding_unit = 0x1p-52;

/// The true scores of one query and some keys, times a scale, and how far errors move each.
struct ScoreRow {
  std::vector<double> scores;   ///< off by at most `score_error` each
  std::vector<double> changes;  ///< off by at most `change_error` each
  double score_error = 0;
  double change_error = 0;
};

/// The query stands at the last of the first `count` rows, and a key at each of them.
ScoreRow score_row(const TurnedRows& rows, const PairedVector& query, std::span<const PairedVector> keys,
                   std::size_t count, double scale);

/// The same of unit vectors that are equal, and all pairs of which have one length, at all rows, as shares of
/// A^2: so that the true score at distance d is the mean of cos(d w), and an error moves it by that of
/// Re(e^(i d w) E).
ScoreRow equal_scores(const Rotations& rotations);

/// How far the score of equal vectors that a recipe makes departs from the true one at the end of a context
/// of n positions: at most, of a query at n - 1 and keys at n - 1 - k for k = 0 .. 1023. NaN if one is no
/// number. \param table its columns do not matter \param n at least 1
double score_drift(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t n);

}  // namespace vernier
