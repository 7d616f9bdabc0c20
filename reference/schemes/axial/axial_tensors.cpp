#include "reference/schemes/axial/axial_tensors.hpp"

#include <cassert>
#include <numeric>

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

/// Where the dimensions of a head in which pair i is (i, i + n) lie when each block has its own halves.
std::vector<std::size_t> halves_of_blocks(std::span<const int> pairs_of_blocks) {
  const auto pairs =
      static_cast<std::size_t>(std::accumulate(pairs_of_blocks.begin(), pairs_of_blocks.end(), 0));
  std::vector<std::size_t> result(2 * pairs);
  std::size_t before = 0;
  for (const int of_block : pairs_of_blocks) {
    const auto own = static_cast<std::size_t>(of_block);
    for (std::size_t pair = 0; pair < own; ++pair) {
      result[before + pair] = 2 * before + pair;
      result[pairs + before + pair] = 2 * before + own + pair;
    }
    before += own;
  }
  return result;
}

void move_dimensions(TensorDefinition& tensor, const std::vector<std::size_t>& to) {
  if (auto* several = std::get_if<MultiAxisTable>(&tensor);
      several != nullptr && several->axis.size() == to.size()) {
    const auto from = *several;
    for (std::size_t column = 0; column < to.size(); ++column) {
      several->table.columns[to[column]] = from.table.columns[column];
      several->axis[to[column]] = from.axis[column];
    }
  } else if (auto* rotation = std::get_if<HeadRotation>(&tensor)) {
    for (auto& dimension : rotation->rotated) {
      dimension.out = to[dimension.out];
      dimension.own = to[dimension.own];
      dimension.other = to[dimension.other];
    }
    for (auto& [first, second] : rotation->pairs) {
      first = to[first];
      second = to[second];
    }
  }
}

}  // namespace

void lie_in_blocks(std::vector<TensorDefinition>& tensors, std::span<const int> pairs_of_blocks) {
  const auto places = halves_of_blocks(pairs_of_blocks);
  for (auto& tensor : tensors) {
    move_dimensions(tensor, places);
  }
}

std::vector<TensorDefinition> axial_tensors(const RopeSpec& shape, const AxialTurns& turns) {
  assert(turns.of_pairs.size() == static_cast<std::size_t>(shape.pairs()));
  std::vector<TensorDefinition> result;
  for (auto& table : shape.tables()) {
    auto of_columns = turn_by_axes(table, turns);
    result.emplace_back(MultiAxisTable{std::move(table), std::move(of_columns), turns.axes});
  }
  auto rotation = shape.rotation();
  rotation.axes = turn_by_axes(rotation.table, turns);
  rotation.maps = turns.axes.maps;
  result.emplace_back(std::move(rotation));
  return result;
}

}  // namespace vernier
