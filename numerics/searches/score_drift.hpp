#pragma once

#include <cstdint>
#include <vector>

#include "numerics/recipes/recipe.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// How far the attention score of a recipe departs from depending on the offset alone, at the end of a
/// context: the query at position n - 1, keys at n - 1 - k for k = 0 .. most_offsets - 1. Query and key are
/// the same unit vector, which weighs all r/2 pairs alike, so the true score is the mean of cos(k w_i), and
/// the computed one the mean of c(n-1) c(n-1-k) + s(n-1) s(n-1-k) over the square of the amplitude.
class ScoreDrift {
 public:
  static constexpr std::int64_t most_offsets = 1024;

  /// \param table defines frequencies and amplitude; its columns do not matter \param positions n >= 1
  ScoreDrift(const TrigTable& table, std::int64_t positions);

  /// The greatest difference of computed and true score over the offsets; NaN where one is no number.
  double of(const Recipe& recipe, Format stored) const;

 private:
  TrigTable table_;
  std::int64_t positions_;
  std::vector<double> true_scores_;  ///< by offset, good to 2^-47
};

}  // namespace vernier
