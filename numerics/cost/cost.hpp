#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/cost/attention_row.hpp"

namespace vernier {

/// What is assumed of queries and keys.
struct AttentionModel {
  std::size_t pairs = 0;    ///< of a head, that turn
  std::size_t passing = 0;  ///< dimensions that do not
  double query_norm = 0;    ///< of whole heads, before they are rotated; > 0
  double key_norm = 0;
  double scale = 0;         ///< of their product in a logit
  std::uint64_t seed = 1;   ///< of drawn directions
  std::size_t rows = 16;    ///< of attention that are drawn
  std::size_t keys = 1024;  ///< of each row, at most

  /// Components of size 1, and 1 over the root of the dimension: what normalized queries and keys have.
  static AttentionModel of_unit_components(const HeadRotation& rotation);
};

/// Real queries and keys, before they are rotated, at positions 0, 1, ... \pre as many of both
struct GivenVectors {
  std::vector<PairedVector> queries;
  std::vector<PairedVector> keys;
};

/// The rows of attention that were computed.
struct AttentionSample {
  std::size_t rows = 0;
  std::size_t keys = 0;  ///< the most of any row
  bool is_drawn = true;
  bool is_measured = false;  ///< whether the errors are known, not only bounded
  RowCost mean;
  RowCost greatest;
};

/// What errors of positions cost a row of attention. The upper ends hold for every query and key of the
/// norms, and all rows of attention among the positions; the lower ends are attained by some: by aligned
/// vectors for scores, by the sample for what follows the softmax.
struct Cost {
  std::string computed;      ///< what errs, in words: "the tables of the case"
  std::int64_t context = 0;  ///< how many positions err
  bool has_gaps = false;     ///< whether these are not all from the first to the last
  AttentionModel attention;
  RotationChange score;  ///< of a logit
  RowCost row;           ///< of any row
  AttentionSample sample;
};

/// \param given in place of drawn vectors, whose greatest norms take the place of those of the model
Cost cost_of(const Rotations& rotations, AttentionModel attention,
             const std::optional<GivenVectors>& given = std::nullopt);

/// Of the tables of a case, for a verdict: four rows of attention with 256 keys. Null where rotations_of()
/// is, or the rows are beyond what a verdict has time for.
std::shared_ptr<const Cost> cost_of(const Case& subject);

/// Of whatever keeps a contract. \param stored the format of the tables \param n the context
Cost allowed_cost(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
                  AttentionModel attention);

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
  std::int64_t most = 0;  ///< after which the bound is still within conclusive_share
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
