#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/real.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// The axes (time, height, width) along each of which a token has a position.
struct PositionAxes {
  std::size_t count = 0;  ///< S >= 2
  /// The positions, one an axis, of a token that is said to have only one: a token of text, or the patch of
  /// an image by its number. Throws InputError for one that no token has.
  std::function<std::vector<std::int64_t>(std::int64_t position)> of_position;

  /// The positions along each axis of tokens that are said to have one each. Throws what of_position throws.
  std::vector<std::vector<std::int64_t>> of_positions(std::span<const std::int64_t> positions) const;
};

/// A table whose rows belong to tokens of several positions at once, one an axis, and whose columns take
/// theirs from one axis each:
/// T[p][c] = amplitude * trig_c(p_a(c) * w_pair(c)), p = (p_0, ..., p_(S-1)).
struct MultiAxisTable {
  TrigTable table;         ///< of any one axis
  std::vector<int> axis;   ///< a(c), one a column of `table`, each in [0, S)
  PositionAxes positions;  ///< of the tokens

  /// The entry as a real number. \param of_axes S places
  /// \param column < table.columns.size()
  Real entry(std::span<const std::int64_t> of_axes, std::size_t column) const;
  /// The same for a token that is said to have one position. Throws what `positions` throws.
  Real entry(std::int64_t position, std::size_t column) const;
  /// Whether a token that is said to have one position has it along all axes that any column turns by, so
  /// that `table` says the same.
  bool turns_by_one_position() const;
};

}  // namespace vernier
