#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/cost/softmax_change.hpp"

namespace vernier {

/// What is assumed of queries and keys.
struct AttentionModel {
  double query_norm = 0;  ///< of whole heads, before they are rotated; > 0
  double key_norm = 0;
  double scale = 0;         ///< of their product in a logit
  std::uint64_t seed = 1;   ///< of drawn directions
  std::size_t rows = 16;    ///< of attention that are drawn
  std::size_t keys = 1024;  ///< of each row, at most

  /// Components of size 1, and 1 over the root of the dimension: what normalized queries and keys have.
  static AttentionModel of_unit_components(std::size_t head_dim);
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
  ValueBounds weight_change;
  ValueBounds weight_factor;
  ValueBounds kl;
  ValueBounds total_variation;
  AttentionSample sample;
};

/// \param rotation of the encoding \param given in place of drawn vectors
Cost cost_of(const Rotations& rotations, const HeadRotation& rotation, const AttentionModel& attention,
             const std::optional<GivenVectors>& given = std::nullopt);

/// Of the tables of a case, for a verdict: four rows of attention with 256 keys. Null where rotations_of()
/// is, or the rows are beyond what a verdict has time for.
std::shared_ptr<const Cost> cost_of(const Case& subject);

/// Of whatever keeps a contract. \param stored the format of the tables \param n the context
Cost allowed_cost(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
                  const AttentionModel& attention);

}  // namespace vernier
