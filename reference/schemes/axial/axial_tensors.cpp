#include "reference/schemes/axial/axial_tensors.hpp"

#include <cassert>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// The positions along all axes of the token that a grid counts as `position`.
std::vector<std::int64_t> along_grid(const std::vector<std::int64_t>& grid, std::int64_t position) {
  refuse_if(position < 0, "found the position {}, expected a number along the grid, from 0", position);
  std::vector<std::int64_t> result(grid.size() + 1);
  for (auto axis = grid.size(); axis > 0; --axis) {
    result[axis] = position % grid[axis - 1];
    position /= grid[axis - 1];
  }
  result.front() = position;
  return result;
}

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

void move_dimensions(AxialTensors& tensors, const std::vector<std::size_t>& to) {
  for (auto& table : tensors.tables) {
    if (columns_of(table) == to.size()) {
      const auto from = table;
      for (std::size_t column = 0; column < to.size(); ++column) {
        table.sines.columns[to[column]] = from.sines.columns[column];
        table.axes->of_columns[to[column]] = from.axes->of_columns[column];
      }
    }
  }
  for (auto& dimension : tensors.rotation.rotated) {
    dimension.out = to[dimension.out];
    dimension.own = to[dimension.own];
    dimension.other = to[dimension.other];
  }
  for (auto& [first, second] : tensors.rotation.pairs) {
    first = to[first];
    second = to[second];
  }
}

}  // namespace

void visit_grid(KeyVisitor& visit, std::vector<std::int64_t>& grid, std::size_t axes) {
  if (axes == 1) {
    visit.forbidden("grid", "none, as there is one axis");
    return;
  }
  visit.optional(
      "grid", grid,
      list_of(whole_numbers(1, largest_position, integer_from_to(1, largest_position)), of_size(axes - 1),
              fmt::format("{}, the length of each axis but the first",
                          axes == 2 ? "one integer" : std::to_string(axes - 1) + " integers")));
}

PositionAxes positions_along_axes(std::size_t axes, const std::vector<std::int64_t>& grid,
                                  const Rational& unit) {
  assert(unit <= 1 && numerator(unit) == 1);
  if (grid.empty()) {
    return {axes, [axes](std::int64_t position) { return std::vector<std::int64_t>(axes, position); }};
  }
  // In a unit too small for 64 bits 0 is the only whole number that a position can be.
  const auto of_one = as_integer(Rational(1 / unit)).value_or(std::numeric_limits<std::int64_t>::max());
  return {axes, [grid, of_one](std::int64_t position) {
            refuse_if(position % of_one != 0,
                      "found a position between two of the grid, expected a number along it");
            auto result = along_grid(grid, position / of_one);
            for (auto& one : result) {
              one *= of_one;
            }
            return result;
          }};
}

std::vector<TensorDefinition> AxialTensors::definitions() const {
  std::vector<TensorDefinition> result(tables.begin(), tables.end());
  result.emplace_back(rotation);
  return result;
}

AxialTensors axial_tensors(const RopeSpec& shape, const AxialTurns& turns,
                           std::span<const int> pairs_of_blocks) {
  assert(turns.of_pairs.size() == static_cast<std::size_t>(shape.pairs()));
  AxialTensors result{{}, shape.rotation()};
  for (auto& table : shape.tables()) {
    auto of_columns = turn_by_axes(table, turns);
    result.tables.emplace_back(std::move(table), TurnedTable::Axes{std::move(of_columns), turns.axes});
  }
  result.rotation.axes = turn_by_axes(result.rotation.table, turns);
  result.rotation.maps = turns.axes.maps;
  if (!pairs_of_blocks.empty()) {
    move_dimensions(result, halves_of_blocks(pairs_of_blocks));
  }
  return result;
}

}  // namespace vernier
