#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "props/properties/turn_view.hpp"

namespace vernier {

/// Gives a view of pairs that turn by all axes one number for the positions of each row, and says them in
/// words. \param maps, by_axis of the positions along each axis; the latter are places, one a row; both
/// outlive the view \return false where no number of 62 bits stands for them
bool take_tokens(TurnView& view, std::span<const PositionMap> maps,
                 std::span<const std::vector<std::int64_t>> by_axis);

}  // namespace vernier
