#pragma once

#include <span>
#include <vector>

#include "numerics/cost/value_bounds.hpp"

namespace vernier {

/// What changes of logits do to a row of attention, p_j = exp(s_j) / sum exp(s), p'_j of s_j + x_j. Adding
/// one number to all x_j changes nothing.
///
/// \name The most that any row can change whose x_j are all within [-e, e], enclosed. \param e >= 0
/// @{

/// Of KL(p || p') = log sum p_j exp(x_j) - sum p_j x_j. With its mean m given, the first term is greatest
/// where x has the values -e and e alone, as exp lies below its chord: so p has two keys, of weights 1 - t
/// and t, and log(t exp(e) + (1 - t) exp(-e)) - e (2t - 1) is greatest in t where its derivative is zero,
/// t exp(e) + (1 - t) exp(-e) = sinh(e) / e. So
///
///     KL <= log(sinh(e) / e) + e coth(e) - 1 = e^2/2 - e^4/36 + ...,
///
/// which two keys attain. KL(p' || p) is the same of p' and -x, and has the same bound.
ValueBounds greatest_kl(double e);

/// Of the total variation, the greatest difference of the weights of any set of keys: for a set of weight a,
/// p' gives it a exp(e) / (a exp(e) + (1 - a) exp(-e)) at most, and the difference is greatest at a = 1 / (1
/// + exp(e)): TV <= tanh(e/2), which two keys attain. No single weight moves by more.
ValueBounds greatest_total_variation(double e);

/// What any weight is multiplied by at most: exp(2e), approached by small weights.
ValueBounds greatest_weight_factor(double e);
/// @}

/// The weight of one key over a box of logits, each s_j within [s_j - r_j, s_j + r_j]: a weight rises with
/// its own logit and falls with all others, so its extremes lie at the two vertices
///
///     exp(s_j +- r_j) / (exp(s_j +- r_j) + sum of exp(s_k -+ r_k) over k != j).
///
/// Rounded outward, in one pass over all keys: sums from both ends, so that nothing cancels.
class WeightsOverBox {
 public:
  /// \param logits finite \param radii >= 0, as many
  WeightsOverBox(std::span<const double> logits, std::span<const double> radii);
  /// Extremes of each weight, a key each.
  const std::vector<ValueBounds>& extremes() const { return extremes_; }
  /// The most that any weight moves from its value at the middle of the box, rounded up.
  double greatest_change() const { return greatest_change_; }

 private:
  std::vector<ValueBounds> extremes_;
  double greatest_change_ = 0;
};

/// An upper bound of KL(p || p') over a box: weights p, |x_j| <= r_j. As log m <= m exp(-c) + c - 1 for every
/// c,
///
///     KL <= c - 1 + sum p_j max(exp(r_j - c) - r_j, exp(-r_j - c) + r_j),
///
/// each term being convex in x_j; the least of several c is taken. \param weights sum to 1 but for roundings
double kl_over_box(std::span<const double> weights, std::span<const double> radii);

}  // namespace vernier
