#pragma once

#include <cstdint>
#include <optional>

#include "numerics/recipes/recipe.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The first row of a recipe's table that holds the bits of an earlier one: two positions that a model cannot
/// tell apart.
struct FirstRepeat {
  std::optional<std::int64_t> position = {};
  std::int64_t earlier = 0;   ///< the row that it repeats
  std::int64_t examined = 0;  ///< the rows before this one are proved to differ, but for `position`
};

/// Finds it among positions 0 .. n-1 without computing most rows.
///
/// Rows p and p + d are equal only if every pair has the same numbers in both. Let w be the frequency that
/// the recipe uses for a pair and A the amplitude. An element is within E of A cos(p w), or A sin(p w): E = A
/// min(D, 2) and what is apart from the phase (greatest_error.hpp), D the most that roundings move the phase
/// (PhaseRule::phase_error of the frequency used, for positions below n). So the two points A (cos, sin) of p
/// w and (p + d) w, whose distance is 2 A |sin(d w / 2)|, are within 2 sqrt(2) E of each other: d w is within
/// 2 asin(sqrt(2) E / A) of a multiple of 2 pi. The few d for which that holds of every pair are listed, and
/// rows as far apart are compared, bit by bit.
///
/// Where n exceeds the integers that the recipe's formats hold, 2^P, the row of 2^P + 1 repeats the one
/// before, and only those before need a look. The listing begins with few rows, whose phases are hardly
/// rounded, and takes four times as many each time. Where phases are rounded so much that too many d remain,
/// all rows are told apart by keys.
///
/// `examined` is less than n only where a repeat was found, or more than 2^24 + 1 rows have so few pairs that
/// too many d remain. \param table defines frequencies and amplitude; its columns do not matter \param
/// positions n >= 1, at most 2^31
FirstRepeat first_repeat(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t positions);

}  // namespace vernier
