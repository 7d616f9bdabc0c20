#include "reference/schemes/axial/token_grid.hpp"

#include <cassert>
#include <limits>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/json.hpp"
#include "reference/keys/key_visitor.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

/// The positions along all axes of the token that a grid counts as `position`.
std::vector<std::int64_t> along_grid(const std::vector<std::int64_t>& grid, std::int64_t position) {
  if (position < 0) {
    throw InputError("found the position {}, expected a number along the grid, from 0", position);
  }
  std::vector<std::int64_t> result(grid.size() + 1);
  for (auto axis = grid.size(); axis > 0; --axis) {
    result[axis] = position % grid[axis - 1];
    position /= grid[axis - 1];
  }
  result.front() = position;
  return result;
}

}  // namespace

void visit_grid(KeyVisitor& visit, std::vector<std::int64_t>& grid, std::size_t axes) {
  visit.optional(
      {"grid",
       "the lengths of all axes but the first, along which tokens of one position are "
       "numbered, the last axis the quickest",
       "positions"},
      grid,
      list_of(whole_numbers(1, largest_position, integer_from_to(1, largest_position)), exactly(axes - 1),
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
            if (position % of_one != 0) {
              throw InputError("found a position between two of the grid, expected a number along it");
            }
            auto result = along_grid(grid, position / of_one);
            for (auto& one : result) {
              one *= of_one;
            }
            return result;
          }};
}

}  // namespace vernier
