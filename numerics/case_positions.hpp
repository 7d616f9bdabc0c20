#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/case.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

/// Integers of a tensor, and what may be among them.
struct IntegerRange {
  std::int64_t least;
  std::int64_t greatest;
  std::string_view in_words;  ///< "integers from -2^31 to 2^31"
};

inline constexpr IntegerRange position_integers{-largest_position, largest_position,
                                                "integers from -2^31 to 2^31"};

/// All elements as integers. \throws InputError for one that is none, or out of range
std::vector<std::int64_t> integers(const NamedTensor& named, std::string_view role,
                                   const IntegerRange& range);

/// The positions that a case gives: one a row or key. \throws InputError for more than one dimension beside
/// leading ones
std::vector<std::int64_t> given_positions(const NamedTensor& named);

/// Whether the case gives every row a position for each of several streams.
bool gives_streams(const CaseParts& parts);

/// The positions of the tensors' rows by stream. \pre gives_streams()
std::vector<std::vector<std::int64_t>> given_streams(const NamedTensor& named, std::size_t streams);

/// The positions of every stream where the case gives each row only one.
std::vector<std::vector<std::int64_t>> spread_over_streams(const CaseParts& parts,
                                                           const StreamedTables& streamed,
                                                           std::span<const std::int64_t> positions);

/// The positions of a case that gives none. \param rows how many
std::vector<std::int64_t> default_positions(const CaseParts& parts, const Encoding& encoding,
                                            std::size_t rows);

/// The tables to judge by, if rows have several positions that differ: because the case says so, or because
/// those of a token with one position do. Where they are all equal a table of one position is the same, and
/// has more checks.
std::optional<StreamedTables> streamed_tables_for(const CaseParts& parts, const Encoding& encoding);

}  // namespace vernier
