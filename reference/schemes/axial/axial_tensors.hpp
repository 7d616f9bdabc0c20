#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/schemes/rope.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

class KeyVisitor;

/// The key "grid", the lengths of all axes but the first; it may be missing, and of one axis there is none.
/// \param axes how many there are
void visit_grid(KeyVisitor& visit, std::vector<std::int64_t>& grid, std::size_t axes);

/// Where a token stands that is said to have a single position: at that number along the grid, the last axis
/// the quickest or, without a grid, at that position on every axis, as text does.
/// \param unit 2^-k, what positions count in: numbers along a grid are whole
PositionAxes positions_along_axes(std::size_t axes, const std::vector<std::int64_t>& grid,
                                  const Rational& unit);

/// What a pair of a head turns by where tokens have a position on each of several axes.
struct AxialTurn {
  int axis = 0;       ///< all_axes (mixed_axes.hpp): of all pairs or of none
  int frequency = 0;  ///< its index among the frequencies of all pairs
};

/// Where the turns of a head come from.
struct AxialTurns {
  Frequencies frequencies;
  std::vector<AxialTurn> of_pairs;  ///< one a pair that rotates
  PositionAxes axes;
};

/// What turns a head by several positions.
struct AxialTensors {
  std::vector<TurnedTable> tables;  ///< cos and sin, each with one column a pair and with one a dimension
  HeadRotation rotation;

  std::vector<TensorDefinition> definitions() const;
};

/// \param shape of the head: its dimensions and how pairs lie in them
/// \param pairs_of_blocks where the dimensions of a head in the half layout lie in blocks, one behind the
/// other, each with its own halves: how many each has; of all blocks, those that rotate
/// \pre turns.of_pairs.size() == shape.pairs()
AxialTensors axial_tensors(const RopeSpec& shape, const AxialTurns& turns,
                           std::span<const int> pairs_of_blocks = {});

}  // namespace vernier
