#include "numerics/views/row_places.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include <fmt/core.h>

#include "numerics/tensors/leading_dimensions.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

RowPlace row_place(const Shape& leading, std::size_t rows, std::size_t row) {
  if (leading.empty()) {
    return {{}, row};
  }
  const auto copies = std::accumulate(leading.begin(), leading.end(), std::size_t{1}, std::multiplies<>());
  const auto rows_of_copy = rows / copies;
  return {leading_index(leading, row / rows_of_copy), row % rows_of_copy};
}

std::string to_string(const RowPlace& place) {
  return std::to_string(place.row) + (place.leading_index.empty()
                                          ? std::string()
                                          : std::string(" of ") + to_string(Shape(place.leading_index)));
}

Described described(const RowPlace& place) {
  Described result;
  if (!place.leading_index.empty()) {
    result.emplace_back("leading index", to_string(Shape(place.leading_index)));
  }
  result.emplace_back("row", std::to_string(place.row));
  return result;
}

Described::value_type turning_axis(int axis) {
  return {"turns by", axis == all_axes ? "its positions along all axes"
                                       : fmt::format("the position along axis {}", axis)};
}

bool PlacedRows::stand_together(std::size_t row, std::size_t other) const {
  const auto are_equal = [&](std::span<const std::int64_t> along) { return along[row] == along[other]; };
  return source.by_axis.empty() ? are_equal(source.positions)
                                : std::ranges::all_of(source.by_axis, are_equal);
}

std::string PlacedRows::position_text(std::size_t row) const {
  if (source.by_axis.empty()) {
    return text(0, source.positions[row]);
  }
  std::string result;
  for (std::size_t axis = 0; axis < source.by_axis.size(); ++axis) {
    result += (axis == 0 ? "" : ", ") + text(axis, source.by_axis[axis][row]);
  }
  return result;
}

std::string PlacedRows::text_along(int axis, std::size_t row) const {
  const auto along = static_cast<std::size_t>(axis);
  return axis == all_axes || source.by_axis.empty() ? position_text(row)
                                                    : text(along, source.by_axis[along][row]);
}

Described PlacedRows::describe(std::size_t row) const {
  auto result = described(row_place(leading, count(), row));
  result.emplace_back(source.by_axis.empty() ? "position" : "positions", position_text(row));
  return result;
}

}  // namespace vernier
