#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/tensors/case.hpp"
#include "reference/tables/trig_table.hpp"

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

/// Positions as a case gives them.
struct ShapedPositions {
  std::string source;  ///< what to call them in errors
  Shape shape;         ///< [..., T], or [axes, ..., T], without leading ones
  std::vector<std::int64_t> values;
};

/// The positions that a case gives, if it does, in units of 2^-k, k its binary places (position_unit.hpp).
/// \throws InputError for what is no position
std::optional<ShapedPositions> given_positions(const CaseInput& parts, int places);

/// Those of the vectors of this role, where they have their own. \throws InputError for what is no position
std::optional<ShapedPositions> own_positions_of_vectors(const CaseInput& parts, std::string_view role,
                                                        int places);

/// Whether the case gives every row a position along each of several axes, if the encoding has axes.
bool gives_axes(const CaseInput& parts);

/// The positions along each axis. \pre gives_axes()
std::vector<ShapedPositions> by_axis(const ShapedPositions& positions, std::size_t axes);

/// The positions along every axis where the case gives each row only one.
std::vector<std::vector<std::int64_t>> spread_over_axes(const CaseInput& parts, const PositionAxes& axes,
                                                        std::span<const std::int64_t> positions);

/// The positions of a case that gives none, [rows].
ShapedPositions default_positions(const CaseInput& parts, const Encoding& encoding, std::size_t rows);

/// The axes of the positions that rows have, if they have several that differ: because the case says so, or
/// because those of a token with one position do. Where they are all equal a table of one position is the
/// same, and has more checks.
std::optional<PositionAxes> axes_of_rows(const CaseInput& parts, const Encoding& encoding);

}  // namespace vernier
