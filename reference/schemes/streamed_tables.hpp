#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reference/encoding.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

/// The tables of an encoding whose tokens have several positions.
struct StreamedTables {
  std::size_t streams = 0;            ///< how many, >= 2
  std::vector<StreamedTable> tables;  ///< one for each shape in which implementations lay them out
  /// The positions, one a stream, of a token that is said to have only one: a token of text, or the patch of
  /// an image by its number. Throws InputError for one that no token has.
  std::function<std::vector<std::int64_t>(std::int64_t position)> of_position;
};

/// Those of M-RoPE and axial RoPE; nothing for an encoding whose tokens have one position.
std::optional<StreamedTables> streamed_tables(const Encoding& encoding);

}  // namespace vernier
