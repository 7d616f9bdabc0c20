#include "reference/tables/mixed_axes.hpp"

#include <cassert>

namespace vernier {
namespace {

const std::vector<Frequencies>& parts_of(const Frequencies& mixed) {
  return std::get<JoinedFrequencies>(mixed.family()).parts;
}

}  // namespace

bool mixes_axes(const TurnedTable& table) {
  return table.axes && !table.axes->of_columns.empty() && table.axes->of_columns.front() == all_axes;
}

bool mixes_axes(const HeadRotation& rotation) {
  return !rotation.axes.empty() && rotation.axes.front() == all_axes;
}

int mixed_pairs(const Frequencies& mixed) {
  return parts_of(mixed).front().pairs();
}

TrigTable table_along(const TrigTable& mixed, std::size_t axis, const PositionMap& map) {
  auto result = mixed;
  result.frequencies = parts_of(mixed.frequencies)[axis];
  result.positions = map;
  if (axis > 0) {
    result.amplitude = 1;
  }
  return result;
}

// The sum is the frequency of a table whose row at place 1 it is: where it is a rational part of a turn, that
// knows the sine.
Real mixed_value(const TrigTable& mixed, std::span<const std::int64_t> places, int pair,
                 Component component) {
  Constant phase{0, 0};
  const auto& parts = parts_of(mixed.frequencies);
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const auto frequency = parts[axis].exact(pair);
    assert(frequency);
    phase = {phase.factor + frequency->factor * places[axis], frequency->power_of_pi};
  }
  const Constant power_of_pi{1, phase.power_of_pi};
  const TrigTable row{mixed.role,
                      Frequencies(ListedFrequencies{{phase.factor}}, power_of_pi, {}),
                      mixed.amplitude,
                      {},
                      std::nullopt};
  return row.value(1, 0, component);
}

}  // namespace vernier
