#include "reference/multi_axis_table.hpp"

#include <algorithm>
#include <cassert>

#include "reference/mixed_axes.hpp"

namespace vernier {

std::vector<std::vector<std::int64_t>> PositionAxes::of_positions(
    std::span<const std::int64_t> positions) const {
  std::vector<std::vector<std::int64_t>> result(count);
  for (const auto position : positions) {
    const auto of_axes = of_position(position);
    for (std::size_t axis = 0; axis < count; ++axis) {
      result[axis].push_back(of_axes ? (*of_axes)[axis] : given_for_zeros.value());
    }
  }
  return result;
}

std::vector<bool> PositionAxes::zero_rows(std::span<const std::vector<std::int64_t>> given) const {
  if (!given_for_zeros) {
    return {};
  }
  std::vector<bool> result(given.front().size(), true);
  for (const auto& numbers : given) {
    for (std::size_t row = 0; row < result.size(); ++row) {
      result[row] = result[row] && numbers[row] == *given_for_zeros;
    }
  }
  return result;
}

TrigTable MultiAxisTable::of_axis(std::size_t along) const {
  if (mixes_axes(*this)) {
    return table_along(table, along, map(along));
  }
  auto result = table;
  result.positions = map(along);
  return result;
}

Real MultiAxisTable::entry(std::span<const std::int64_t> of_axes, std::size_t column) const {
  assert(axis.size() == table.columns.size() && column < axis.size());
  if (mixes_axes(*this)) {
    return mixed_value(table, of_axes, table.columns[column].pair, table.columns[column].component);
  }
  const auto its_axis = static_cast<std::size_t>(axis[column]);
  assert(its_axis < of_axes.size());
  return table.entry(of_axes[its_axis], column);
}

Real MultiAxisTable::entry(std::int64_t position, std::size_t column) const {
  auto of_axes = positions.of_position(position);
  if (!of_axes) {
    return [] { return enclose(std::int64_t{0}); };
  }
  for (std::size_t along = 0; along < of_axes->size(); ++along) {
    (*of_axes)[along] = map(along).place((*of_axes)[along]);
  }
  return entry(*of_axes, column);
}

bool MultiAxisTable::turns_by_one_position() const {
  if (!positions.maps.empty()) {
    return false;
  }
  // The number 1 of a token, in what its positions count in.
  const auto one =
      positions.of_position(as_integer(Rational(1 / table.positions.unit())).value_or(1)).value();
  const auto at = [&](int of_column) { return one[static_cast<std::size_t>(of_column)]; };
  return std::ranges::all_of(axis, [&](int of_column) { return at(of_column) == at(axis.front()); });
}

}  // namespace vernier
