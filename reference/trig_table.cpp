#include "reference/trig_table.hpp"

#include <cassert>

namespace vernier {

bool TrigTable::is_zero(std::int64_t position, std::size_t column) const {
  return columns[column].component == Component::zero || position == zero_position;
}

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

}  // namespace vernier
