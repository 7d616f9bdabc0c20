#include "reference/multi_axis_table.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {

std::vector<std::vector<std::int64_t>> PositionAxes::of_positions(
    std::span<const std::int64_t> positions) const {
  std::vector<std::vector<std::int64_t>> result(count);
  for (const auto position : positions) {
    const auto of_axes = of_position(position);
    for (std::size_t axis = 0; axis < count; ++axis) {
      result[axis].push_back(of_axes[axis]);
    }
  }
  return result;
}

Real MultiAxisTable::entry(std::span<const std::int64_t> of_axes, std::size_t column) const {
  assert(axis.size() == table.columns.size() && column < axis.size());
  const auto its_axis = static_cast<std::size_t>(axis[column]);
  assert(its_axis < of_axes.size());
  return table.entry(of_axes[its_axis], column);
}

Real MultiAxisTable::entry(std::int64_t position, std::size_t column) const {
  auto of_axes = positions.of_position(position);
  for (auto& one : of_axes) {
    one = table.positions.place(one);
  }
  return entry(of_axes, column);
}

bool MultiAxisTable::turns_by_one_position() const {
  const auto one = positions.of_position(1);
  const auto at = [&](int of_column) { return one[static_cast<std::size_t>(of_column)]; };
  return std::ranges::all_of(axis, [&](int of_column) { return at(of_column) == at(axis.front()); });
}

}  // namespace vernier
