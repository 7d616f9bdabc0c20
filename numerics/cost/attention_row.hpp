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

/// A vector by the pairs that turn: a complex number each, which turns counter-clockwise, and behind them the
/// dimensions that pass through.
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

/// The true scores of one query and some keys, times a scale, and how far errors move each.
struct ScoreRow {
  std::vector<double> scores;   ///< off by at most `score_error` each
  std::vector<double> changes;  ///< off by at most `change_error` each
  double score_error = 0;
  double change_error = 0;
};

/// A key stands at each of the first rows, and the query at the last of these. \param rows indices into the
/// positions; at least as many as keys \param errors of these rows
ScoreRow score_row(const Rotations& rotations, std::span<const std::size_t> rows, const ErrorsByPair& errors,
                   const PairedVector& query, std::span<const PairedVector> keys, double scale);

/// How far the score of equal vectors that a recipe makes departs from the true one at the end of a context
/// of n positions: at most, of a query at n - 1 and keys at n - 1 - k for k = 0 .. 1023. All pairs of the
/// vectors have one length, so that the true score at distance d is the mean of cos(d w). NaN if one is no
/// number. \param table its columns do not matter \param n at least 1
double score_drift(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t n);

/// What changes of logits do to a row of attention, p_j = exp(s_j) / sum exp(s), p'_j of s_j + x_j. Adding
/// one number to all x_j changes nothing.
struct RowCost {
  ValueBounds kl;               ///< KL(p || p') = log sum p_j exp(x_j) - sum p_j x_j
  ValueBounds total_variation;  ///< the greatest difference of the weights of any set of keys
  ValueBounds weight_change;    ///< of the weight that moves most
  double weight_factor = 0;     ///< that no weight is multiplied by more than
  /// No less than `kl`, by the weights p and how far the changes spread, without p'. With y = x - E x <= b
  /// and the variance V of x under p, KL = log E exp(y) <= V (exp(b) - 1 - b) / b^2, as (exp(y) - 1 - y) /
  /// y^2 rises with y (Bennett's inequality). Where only radii are known, kl_over_box().
  double kl_bound = 0;
};

/// The most that any row can change whose x_j are all within [-e, e], rounded up; lower ends are 0.
///
/// With the mean m of x given, the first term of KL is greatest where x has the values -e and e alone, as exp
/// lies below its chord: so p has two keys, of weights 1 - t and t, and log(t exp(e) + (1 - t) exp(-e)) - e
/// (2t - 1) is greatest in t where its derivative is zero, t exp(e) + (1 - t) exp(-e) = sinh(e) / e. So
///
///     KL <= log(sinh(e) / e) + e coth(e) - 1 = e^2/2 - e^4/36 + ...,
///
/// which two keys attain. KL(p' || p) is the same of p' and -x, and has the same bound. For a set of weight
/// a, p' gives it a exp(e) / (a exp(e) + (1 - a) exp(-e)) at most, and the difference is greatest at a = 1 /
/// (1 + exp(e)): TV <= tanh(e/2), which two keys attain. No single weight moves by more, or is multiplied by
/// more than exp(2e), which small weights approach.
/// \param e >= 0; what is not finite bounds nothing
RowCost greatest_cost(double e);

/// The weights of logits; each is off by (n + 8 L) u of itself, L the largest logit.
std::vector<double> weights_of(std::span<const double> logits);

/// An upper bound of KL(p || p') over a box: weights p, |x_j| <= r_j. As log m <= m exp(-c) + c - 1 for every
/// c,
///
///     KL <= c - 1 + sum p_j max(exp(r_j - c) - r_j, exp(-r_j - c) + r_j),
///
/// each term being convex in x_j; the least of several c is taken. \param weights sum to 1 but for roundings
double kl_over_box(std::span<const double> weights, std::span<const double> radii);

/// Computed in binary64. Let 2h be the range of the changes. A logit that is off by d moves KL by at most 3 h
/// d, as its derivatives by the logits are p'_j - p_j - p_j (x_j - E x); a change that is off by d moves it
/// by 2 TV d <= h d. They move the total variation by 3 TV d and d.
RowCost cost_of(const ScoreRow& row);

}  // namespace vernier
