#pragma once

#include <cstdint>
#include <optional>

#include "numerics/recipes/recipe.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Rows of a recipe's table that hold the same bits as an earlier one: positions that the model cannot tell
/// apart.
struct RepeatedRows {
  std::int64_t count = 0;
  std::optional<std::int64_t> first;  ///< the first row that repeats an earlier one
};

/// Finds them among positions 0 .. n-1, all of them: rows are told apart by one pair after another, and only
/// those that are still alike are computed further. Their elements are mixed into 64 bits, which two rows
/// that differ share with a probability of 2^-64. \param table defines frequencies and amplitude; its columns
/// do not matter \param positions n >= 1
RepeatedRows repeated_rows(const Recipe& recipe, const TrigTable& table, Format stored,
                           std::int64_t positions);

/// The cosine and the sine of one pair alone.
TrigTable table_of_pair(const TrigTable& table, int pair);

}  // namespace vernier
