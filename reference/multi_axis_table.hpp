#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reference/real.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// The axes (time, height, width) along each of which a token has a position.
struct PositionAxes {
  std::size_t count = 0;  ///< S >= 2
  /// The positions, one an axis, of a token that is said to have only one: a token of text, or the patch of
  /// an image by its number. Nothing for a row of zeros. Throws InputError for a position that no token has.
  std::function<std::optional<std::vector<std::int64_t>>(std::int64_t position)> of_position;
  /// Where the places along each axis come from; empty where the table says so for all.
  std::vector<PositionMap> maps = {};
  /// Where there are rows of zeros: the number that is given along every axis for one.
  std::optional<std::int64_t> given_for_zeros = std::nullopt;

  /// What is given along each axis for tokens that are said to have one position each. Throws what
  /// of_position throws.
  std::vector<std::vector<std::int64_t>> of_positions(std::span<const std::int64_t> positions) const;
  /// Which rows are zeros: one a row, or empty where there are none. \param given numbers along each axis,
  /// before they become places, among which any number may stand for a true position
  std::vector<bool> zero_rows(std::span<const std::vector<std::int64_t>> given) const;
};

/// A table whose rows belong to tokens of several positions at once, one an axis, and whose columns take
/// theirs from one axis each:
/// T[p][c] = amplitude * trig_c(p_a(c) * w_pair(c)), p = (p_0, ..., p_(S-1)).
struct MultiAxisTable {
  TrigTable table;         ///< of any one axis; its map is that of the first
  std::vector<int> axis;   ///< a(c), one a column of `table`, each in [0, S); or all_axes (mixed_axes.hpp)
  PositionAxes positions;  ///< of the tokens

  /// The table as if all columns turned by one axis. \param along in [0, S)
  TrigTable of_axis(std::size_t along) const;
  /// Where the places along an axis come from.
  const PositionMap& map(std::size_t along) const {
    return positions.maps.empty() ? table.positions : positions.maps[along];
  }
  /// The entry of a row that is not zeros, as a real number. \param of_axes S places
  /// \param column < table.columns.size()
  Real entry(std::span<const std::int64_t> of_axes, std::size_t column) const;
  /// The same for a token that is said to have one position. Throws what `positions` throws.
  Real entry(std::int64_t position, std::size_t column) const;
  /// Whether a token that is said to have one position has it along all axes that any column turns by, so
  /// that `table` says the same.
  bool turns_by_one_position() const;
};

}  // namespace vernier
