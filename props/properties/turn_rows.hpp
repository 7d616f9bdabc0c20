#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "props/properties/property_tally.hpp"
#include "props/properties/turn_view.hpp"

// What judges of turns share.

namespace vernier {

/// What the sums and products of a residual here may be off by, of the sum of the magnitudes of its terms: a
/// few roundings of binary64, 2^-53 each, the radius with its own among them.
inline constexpr double turn_rounding = 0x1p-49;

/// How many turns a property looks at, so that a tensor of any size takes a moment.
inline constexpr std::size_t most_turns = std::size_t{1} << 18;

/// Where a turn is.
PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row);

/// A row and its position in one axis.
struct PlacedRow {
  std::int64_t position = 0;
  std::size_t row = 0;
  auto operator<=>(const PlacedRow&) const = default;
};
using Placed = std::vector<PlacedRow>;

/// The rows of each axis that any pair turns by, in ascending order of their positions: all, or the first
/// and the last.
std::map<int, Placed> placed_rows(const TurnView& view);

/// The square of the circle that a turn lies on, as it is stored.
double square_of(const PairTurn& turn);
/// The most that it may be away from R^2.
double square_error(const PairTurn& turn);

}  // namespace vernier
