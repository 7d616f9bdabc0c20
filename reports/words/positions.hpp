#pragma once

#include <cstdint>
#include <string_view>

#include "reference/numbers/position_range.hpp"

// Positions as people write them.

namespace vernier {

/// Reads A:B or A:B:STEP as Python's slices read: from A, B not included. Numbers are decimal, or 2^N.
/// \param option the option's name, for errors
/// \throws InputError for anything else, for a range without positions, and for positions beyond +-2^31
PositionRange parse_positions(std::string_view text, std::string_view option);

/// Reads one position, decimal or 2^N. \param option its name, for errors \throws InputError for anything
/// else, and for a position beyond +-2^31
std::int64_t parse_position(std::string_view text, std::string_view option);

}  // namespace vernier
