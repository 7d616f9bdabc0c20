#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/cost/rotation_change.hpp"
#include "numerics/cost/value_bounds.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {

/// One row of attention: the true logits, and how far errors of positions move each.
struct AttentionRow {
  std::vector<double> logits;   ///< off by at most `logit_error` each
  std::vector<double> changes;  ///< off by at most `change_error` each; empty where only radii are known
  std::vector<double> radii;    ///< no logit moves by more
  double logit_error = 0;
  double change_error = 0;
};

/// What the changes do to the row.
struct RowCost {
  ValueBounds kl;               ///< KL(p || p'); from 0 to the bound where only radii are known
  ValueBounds total_variation;  ///< likewise
  ValueBounds weight_change;    ///< of the weight that moves most
  /// No less than `kl`, by the weights p and how far the changes spread, without p'. With y = x - E x <= b
  /// and the variance V of x under p, KL = log E exp(y) <= V (exp(b) - 1 - b) / b^2, as (exp(y) - 1 - y) /
  /// y^2 rises with y (Bennett's inequality). Where only radii are known, kl_over_box().
  double kl_bound = 0;
};

/// Computed in binary64. Let 2h be the range of the changes. A logit that is off by d moves KL by at most 3 h
/// d, as its derivatives by the logits are p'_j - p_j - p_j (x_j - E x); a change that is off by d moves it
/// by 2 TV d <= h d. They move the total variation by 3 TV d and d.
RowCost cost_of(const AttentionRow& row);

/// Vectors by the pairs that turn: a complex number each, and the dimensions that pass through.
struct PairedVectors {
  std::size_t pairs = 0;
  std::size_t passing = 0;
  std::vector<std::complex<double>> turned;  ///< row by row
  std::vector<double> unturned;              ///< row by row

  std::span<const std::complex<double>> row(std::size_t index) const {
    return std::span(turned).subspan(index * pairs, pairs);
  }
  std::span<const double> passing_of(std::size_t index) const {
    return std::span(unturned).subspan(index * passing, passing);
  }
  double norm(std::size_t index) const;
};

/// Vectors of one norm, of directions that are equally likely. \param seed the same one draws the same
PairedVectors drawn_vectors(std::size_t count, std::size_t pairs, std::size_t passing, double norm,
                            std::uint64_t seed);
/// Vectors before they are rotated. \param tensor [..., rows, head_dim], of which the first rows are read
/// \throws InputError for what is not of that shape or not finite
PairedVectors paired_vectors(const Tensor& tensor, const std::string& source, const HeadRotation& rotation);

/// What turns the vectors, and how far it is off.
class AttentionErrors {
 public:
  /// Errors that are known. \param kept outlives it
  AttentionErrors(const Frequencies& frequencies, double amplitude, int direction, const ErrorsOfRows& kept);
  /// Errors that are bounded. \param positions one a row
  AttentionErrors(const BudgetModel& model, const Frequencies& frequencies, std::int64_t n,
                  std::vector<std::int64_t> positions);

  const std::vector<std::int64_t>& positions() const { return positions_; }
  /// The row of attention of one query over keys. \param query_row, key_rows of positions()
  AttentionRow row(const PairedVectors& queries, std::size_t query, std::size_t query_row,
                   const PairedVectors& keys, std::span<const std::size_t> key_rows, double scale) const;

 private:
  std::vector<PhaseTurns> turns_;
  double amplitude_;
  int direction_ = 1;
  std::vector<std::int64_t> positions_;
  const ErrorsOfRows* kept_ = nullptr;
  const BudgetModel* model_ = nullptr;
  std::int64_t context_ = 0;
};

}  // namespace vernier
