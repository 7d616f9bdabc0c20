#pragma once

#include <cstdint>
#include <vector>

#include "reference/multi_axis_table.hpp"

namespace vernier {

class KeyVisitor;

/// The key "grid", the lengths of all axes but the first; it may be missing. \param axes how many there are
void visit_grid(KeyVisitor& visit, std::vector<std::int64_t>& grid, std::size_t axes);

/// Where a token stands that is said to have a single position: at that number along the grid, the last axis
/// the quickest or, without a grid, at that position on every axis, as text does.
/// \param unit 2^-k, what positions count in: numbers along a grid are whole
PositionAxes positions_along_axes(std::size_t axes, const std::vector<std::int64_t>& grid,
                                  const Rational& unit);

}  // namespace vernier
