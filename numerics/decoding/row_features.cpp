#include <fmt/core.h>

#include "numerics/decoding/row_rules.hpp"

namespace vernier {
namespace {

template <class Number>
std::vector<double> each_row(const RowGrid& grid, const Number& number) {
  std::vector<double> values(grid.all());
  for (std::size_t row = 0; row < values.size(); ++row) {
    values[row] = static_cast<double>(number(row));
  }
  return values;
}

}  // namespace

std::vector<RowFeature> row_features(const RowGrid& grid, std::size_t width,
                                     std::span<const std::vector<double>> positions, std::size_t axis) {
  using Kind = RowFeature::Kind;
  const auto& own = positions[axis];
  auto shape = grid.leading;
  shape.insert(shape.end(), {grid.rows, width});
  std::vector<RowFeature> result{{Kind::position, own, "p", "their positions", 0}};
  const auto add = [&](RowFeature feature) {
    // An index that is the position but for a constant says what the position does.
    const auto is_counted = [&] {
      for (std::size_t row = 1; row < own.size(); ++row) {
        if (feature.values[row] - own[row] != feature.values[0] - own[0]) {
          return false;
        }
      }
      return feature.kind == Kind::row;
    };
    for (const auto& one : result) {
      if (one.values == feature.values || is_counted()) {
        return;
      }
    }
    result.push_back(std::move(feature));
  };
  add({Kind::row, each_row(grid, [&](std::size_t i) { return grid.row(i); }), "r", "its own index", 3});
  for (std::size_t d = 0; d < grid.leading.size(); ++d) {
    add({Kind::leading_index, each_row(grid, [&](std::size_t i) { return grid.leading_index(i, d); }), "b",
         grid.leading.size() == 1 ? "the leading index" : fmt::format("the index of leading dimension {}", d),
         4,
         fmt::format("positions count along dimension -{} of {}, not along -2", grid.leading.size() + 2 - d,
                     to_string(shape))});
  }
  add({Kind::row, each_row(grid, [](std::size_t i) { return i; }), "r",
       "its index, counted on through the leading dimensions", 6});
  for (std::size_t other = 0; other < positions.size(); ++other) {
    if (other != axis) {
      add({Kind::other_axis, positions[other], "q", fmt::format("its position along axis {}", other), 4});
    }
  }
  const auto of_row = [&](Kind kind, const std::string& held, double bits, const auto& other) {
    add({kind, each_row(grid, [&](std::size_t i) { return own[other(i)]; }), "q", held, bits});
  };
  const auto last = grid.rows - 1;
  of_row(Kind::other_row, "the position of that row of leading index 0", 4,
         [&](std::size_t i) { return grid.row(i); });
  of_row(Kind::next_row, "the position of the row before", 5,
         [&](std::size_t i) { return grid.row(i) == 0 ? i : i - 1; });
  of_row(Kind::next_row, "the position of the row before, the first that of the last", 6,
         [&](std::size_t i) { return grid.row(i) == 0 ? i + last : i - 1; });
  of_row(Kind::next_row, "the position of the row behind", 5,
         [&](std::size_t i) { return grid.row(i) == last ? i : i + 1; });
  of_row(Kind::next_row, "the position of the row behind, the last that of the first", 6,
         [&](std::size_t i) { return grid.row(i) == last ? i - last : i + 1; });
  of_row(Kind::mirrored_row, "the position of the row as far from the end", 12,
         [&](std::size_t i) { return i - grid.row(i) + (last - grid.row(i)); });
  of_row(Kind::other_row, "the position of that row of the leading index before", 6,
         [&](std::size_t i) { return i < grid.rows ? i : i - grid.rows; });
  return result;
}

}  // namespace vernier
