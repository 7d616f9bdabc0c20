#include "numerics/tolerances/error_bound.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "numerics/tolerances/greatest_rounding.hpp"

namespace vernier {
namespace {

/// For the few roundings of a bound that is computed in binary64.
constexpr double bound_slack = 1 + 0x1p-48;

}  // namespace

std::vector<PositionOctave> octaves(const PositionRange& positions) {
  std::vector<PositionOctave> result;
  if (positions.count == 0) {
    return result;
  }
  const auto first = positions.at(0);
  const auto last = positions.at(positions.count - 1);
  const auto farthest = std::max(std::abs(first), std::abs(last));
  const bool has_both_signs = (first < 0) != (last < 0);
  const auto nearest = has_both_signs ? 0 : std::min(std::abs(first), std::abs(last));
  for (std::int64_t from = 0; from <= farthest;) {
    const auto end = from == 0 ? 1 : 2 * from;
    if (end > nearest) {
      result.push_back({std::max(from, nearest), std::min(end - 1, farthest)});
    }
    from = end;
  }
  return result;
}

double greatest_phase_error(const BudgetModel& model, int pair, std::int64_t farthest) {
  const auto compute = model.parameters().compute;
  const double phase = model.phase(farthest, pair);
  if (phase == 0) {
    return 0;
  }
  const auto distance = static_cast<double>(farthest);
  const double u = traits(compute).unit_roundoff();
  const double of_position = distance * u <= 1 ? 0
                             : std::isfinite(round_to(compute, distance))
                                 ? u
                                 : std::numeric_limits<double>::infinity();
  const auto& parameters = model.parameters();
  const auto index = static_cast<std::size_t>(pair);
  const double of_frequency = parameters.frequency_error[index];
  const double off = of_frequency + of_position + of_frequency * of_position;
  const double reach = phase * (1 + off) * bound_slack;
  if (!std::isfinite(reach)) {
    return reach;
  }
  const double roundings = parameters.phase_rounding[index];
  const double last =
      greatest_rounding(compute, reach * (1 + roundings)) + std::max(0.0, roundings - u) * reach;
  return (phase * off + std::min(roundings * reach, last)) * bound_slack;
}

}  // namespace vernier
