#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/tables/head_rotation.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// In place of an axis: that of a pair whose phase is a sum over all axes, sum_a p_a w_(a,i), as learned
/// frequencies have it (the Fourier features of SAM, RoPE-Mixed of Mochi). A table or a rotation has it of
/// all its pairs or of none; its frequencies are joined, as many of each axis as there are pairs, and each is
/// known exactly, times the same power of pi.
inline constexpr int all_axes = -1;

/// \name Whether columns or pairs turn by all axes
/// @{
bool mixes_axes(const TurnedTable& table);
bool mixes_axes(const HeadRotation& rotation);
/// @}

/// How many pairs mixed frequencies have: of each axis as many.
int mixed_pairs(const Frequencies& mixed);

/// The table as if all other axes had the position 0; the amplitude is that of the first axis alone.
/// \param mixed with mixed frequencies \param map of the positions along `axis`
TrigTable table_along(const TrigTable& mixed, std::size_t axis, const PositionMap& map);

/// amplitude * trig(sum_a p_a w_(a,pair)). \param mixed with mixed frequencies \param places one an axis
/// \param component sine or cosine
Real mixed_value(const TrigTable& mixed, std::span<const std::int64_t> places, int pair, Component component);

}  // namespace vernier
