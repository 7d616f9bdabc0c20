#include "reference/tables/trig_table.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "reference/numbers/powers.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

Real TrigTable::entry(std::int64_t position, std::size_t column) const {
  assert(column < columns.size() && position >= -largest_place && position <= largest_place);
  if (is_zero(position, column)) {
    return [] { return enclose(std::int64_t{0}); };
  }
  return value(position, columns[column].pair, columns[column].component);
}

Real TrigTable::value(std::int64_t position, int pair, Component component) const {
  assert(pair >= 0 && pair < frequencies.pairs() && component != Component::zero);
  if (const auto twelfths = frequencies.rational_angles(pair).twelfths(position)) {
    if (const auto exact = rational_sine(*twelfths + (component == Component::cosine ? 3 : 0))) {
      return
          [value = *exact, amplitude = amplitude] { return Interval(enclose(amplitude) * enclose(value)); };
    }
  }
  return [frequencies = frequencies, amplitude = amplitude, position, pair, component] {
    const Interval phase = enclose(position) * frequencies.at(pair);
    const Interval trig = component == Component::sine ? Interval(sin(phase)) : Interval(cos(phase));
    return Interval(enclose(amplitude) * trig);
  };
}

Real PositionScale::at(std::int64_t position, int pair) const {
  return rational_power(ratios[static_cast<std::size_t>(pair)], exponent(position));
}

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

TrigTable TurnedTable::of_axis(std::size_t along) const {
  if (mixes_axes(*this)) {
    return table_along(sines, along, map(along));
  }
  auto result = sines;
  result.positions = map(along);
  return result;
}

Real TurnedTable::entry(std::span<const std::int64_t> places, std::size_t column) const {
  const auto& [pair, component] = sines.columns[column];
  if (mixes_axes(*this)) {
    return mixed_value(sines, places, pair, component);
  }
  const auto place = places[static_cast<std::size_t>(axis(column))];
  if (!scale) {
    return sines.entry(place, column);
  }
  auto factor = scale->at(place, pair);
  if (is_scale_alone) {
    return factor;
  }
  return
      [trig = sines.entry(place, column), factor = std::move(factor)] { return Interval(trig() * factor()); };
}

Real TurnedTable::entry(std::int64_t position, std::size_t column) const {
  if (!axes) {
    return entry(std::array{map(0).place(position)}, column);
  }
  auto of_axes = axes->positions.of_position(position);
  if (!of_axes) {
    return [] { return enclose(std::int64_t{0}); };
  }
  for (std::size_t along = 0; along < of_axes->size(); ++along) {
    (*of_axes)[along] = map(along).place((*of_axes)[along]);
  }
  return entry(*of_axes, column);
}

bool TurnedTable::turns_by_one_position() const {
  if (!axes->positions.maps.empty()) {
    return false;
  }
  // The number 1 of a token, in what its positions count in.
  const auto one =
      axes->positions.of_position(as_integer(Rational(1 / sines.positions.unit())).value_or(1)).value();
  const auto at = [&](int of_column) { return one[static_cast<std::size_t>(of_column)]; };
  return std::ranges::all_of(axes->of_columns,
                             [&](int of_column) { return at(of_column) == at(axes->of_columns.front()); });
}

}  // namespace vernier
