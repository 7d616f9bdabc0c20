#pragma once

#include <vector>

#include "reference/schemes/axial/rotary_axes.hpp"

namespace vernier {

/// The tables of tokens that stand for blocks of places, as models of video give their history (FramePack,
/// Helios; diffusers, center_down_sample_3d): each cosine and sine is the average over the block. Blocks that
/// reach beyond the grid repeat its last place. Positions are numbers of blocks along the grid of blocks, or
/// one number on every axis. An average of turns is no rotation, so that there are cos and sin only.
/// \param axes of the places, not scaled \param of_places their tables
std::vector<TensorDefinition> pooled(const RotaryAxesSpec& axes, const std::vector<TurnedTable>& of_places);

}  // namespace vernier
