#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reference/real.hpp"
#include "reference/real_table.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// A table whose rows belong to tokens of several positions at once, one a stream (time, height, width), and
/// whose columns take theirs from one stream each:
/// T[p][c] = amplitude * trig_c(p_s(c) * w_pair(c)), p = (p_0, ..., p_(S-1)).
struct StreamedTable {
  TrigTable table;           ///< of any one stream
  std::vector<int> streams;  ///< s(c), one a column of `table`, each in [0, S)

  /// The entry as a real number. \param positions S of them, each within +-2^31
  /// \param column < table.columns.size()
  Real entry(std::span<const std::int64_t> positions, std::size_t column) const;
};

/// The tables of an encoding whose tokens have several positions.
struct StreamedTables {
  std::size_t streams = 0;            ///< how many, >= 2
  std::vector<StreamedTable> tables;  ///< one for each shape in which implementations lay them out
  /// The positions, one a stream, of a token that is said to have only one: a token of text, or the patch of
  /// an image by its number. Throws InputError for one that no token has.
  std::function<std::vector<std::int64_t>(std::int64_t position)> of_position;

  /// Whether such a token has one position in all streams that any column turns by, so that tables of one
  /// position say the same.
  bool are_alike() const;
};

/// The tables of such tokens.
std::vector<RealTable> by_position(const StreamedTables& tables);

}  // namespace vernier
