#include "reference/trig_table.hpp"

#include <cassert>

namespace vernier {

bool TrigTable::is_zero(std::int64_t position, std::size_t column) const {
  return columns[column].component == Component::zero || position == zero_position;
}

Real TrigTable::entry(std::int64_t position, std::size_t column) const {
  assert(column < columns.size() && position >= -largest_position && position <= largest_position);
  if (is_zero(position, column)) {
    return [] { return enclose(std::int64_t{0}); };
  }
  return [frequencies = frequencies, amplitude = amplitude, position, where = columns[column]] {
    const Interval phase = enclose(position) * frequencies.at(where.pair);
    const Interval value = where.component == Component::sine ? Interval(sin(phase)) : Interval(cos(phase));
    return Interval(enclose(amplitude) * value);
  };
}

}  // namespace vernier
