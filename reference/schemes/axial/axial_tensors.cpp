#include "reference/schemes/axial/axial_tensors.hpp"

#include <cassert>

namespace vernier {
namespace {

/// Gives the columns of a table the frequencies that their pairs turn by. \returns the axis of every column
std::vector<int> turn_by_axes(TrigTable& table, const AxialTurns& turns) {
  table.frequencies = turns.frequencies;
  std::vector<int> axes;
  for (auto& column : table.columns) {
    const auto& turn = turns.of_pairs[static_cast<std::size_t>(column.pair)];
    column.pair = turn.frequency;
    axes.push_back(turn.axis);
  }
  return axes;
}

}  // namespace

std::vector<TensorDefinition> axial_tensors(const RopeSpec& shape, const AxialTurns& turns) {
  assert(turns.of_pairs.size() == static_cast<std::size_t>(shape.pairs()));
  const RopeEncoding of_one_position(shape);
  std::vector<TensorDefinition> result;
  for (auto& table : of_one_position.tables()) {
    auto of_columns = turn_by_axes(table, turns);
    result.emplace_back(MultiAxisTable{std::move(table), std::move(of_columns), turns.axes});
  }
  auto rotation = rotation_of(of_one_position);
  rotation.axes = turn_by_axes(rotation.table, turns);
  rotation.maps = turns.axes.maps;
  result.emplace_back(std::move(rotation));
  return result;
}

}  // namespace vernier
