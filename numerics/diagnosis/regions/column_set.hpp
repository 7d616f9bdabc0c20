#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/computation/finding.hpp"
#include "numerics/decoding/row_set.hpp"
#include "numerics/diagnosis/regions/misses.hpp"

namespace vernier {

/// Columns of all tensors.
struct ColumnSet {
  std::vector<bool> has = {};
  std::string words = {};  ///< "pairs 3 to 5", "the sines of every pair", "columns 8 to 15 of cos"
  double bits = 0;
  bool is_whole = false;
};

/// The set that takes least to say: pairs, one component of pairs, or columns of one tensor, each set as rows
/// have it. \param wanted one a column of all tensors \return nothing where no such set has all columns that
/// it has to have and none that it must not
std::optional<ColumnSet> simplest_columns(const Suspect& suspect, const Misses& misses,
                                          const std::vector<Membership>& wanted);
ColumnSet every_column(const Misses& misses);
/// A set as runs, the fewest that a walk from the first index on finds.
std::vector<IndexRun> index_runs(const std::vector<bool>& set);
/// The simplest set of rows, or of columns; nothing where none has to be in it.
std::optional<RowSet> simplest_rows(const RowGrid& grid, const std::vector<Membership>& wanted);

}  // namespace vernier
