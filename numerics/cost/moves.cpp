#include "numerics/cost/moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/budgets/conclusive.hpp"
#include "numerics/cost/rotations.hpp"
#include "numerics/tolerances/error_bound.hpp"

namespace vernier {
namespace {

/// For sums and products of a bound that are computed in binary64.
constexpr double move_slack = 1 + 0x1p-40;

/// The most that rotating by a position and storing adds to a pair, as a share of its norm.
double error_of_rotation(const BudgetModel& model, Format stored, std::int64_t position) {
  double turned = 0;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const double a = std::min(2.0, greatest_phase_error(model, pair, std::abs(position))) +
                     std::numbers::sqrt2 * model.trig(position, pair, model.amplitude()) / model.amplitude();
    turned = std::max(turned, a);
  }
  const double u = traits(arithmetic_of(model.parameters().compute, stored)).unit_roundoff();
  const double v = traits(stored).unit_roundoff();
  return (std::expm1(std::log1p(turned) + std::log1p(std::numbers::sqrt2 * u * (2 + u)) + std::log1p(v))) *
         move_slack;
}

}  // namespace

Moves moves_of(const Contract& contract, const HeadRotation& rotation, Format stored, std::int64_t n,
               std::int64_t shift) {
  auto moved = rotation.table;
  moved.amplitude = 1;  // a move turns: the amplitude is in the key already
  const auto compute = contract.bind(rotation.table, stored).parameters().compute;
  Moves result;
  result.shift = shift;
  result.first = error_of_rotation(contract.bind(rotation.table, compute), stored, n - 1);
  result.of_one = error_of_rotation(contract.bind(moved, compute), stored, shift);
  result.limit = conclusive_share;
  if (result.first < result.limit) {
    const double moves =
        (std::log1p(result.limit) - std::log1p(result.first)) / std::log1p(result.of_one) / move_slack;
    result.most = static_cast<std::int64_t>(std::min(moves, 0x1p62));
  }
  const double amplitude = approximately(rotation.table.amplitude);
  if (amplitude != 1) {
    result.amplitude_again = std::fabs(amplitude - 1);
  }
  if (const auto* scaled = rotation.table.frequencies.scaled()) {
    const auto right = turns_of(rotation.table.frequencies);
    const auto unscaled = turns_of(Frequencies(scaled->unscaled));
    double greatest = 0;
    for (std::size_t pair = 0; pair < right.size(); ++pair) {
      const auto is = right[pair].at(shift);
      const auto plain = unscaled[pair].at(shift);
      greatest = std::max(greatest, std::hypot(is.cosine - plain.cosine, is.sine - plain.sine));
    }
    if (greatest > 4 * PhaseTurns::error) {
      result.scaling_ignored = greatest;
    }
  }
  return result;
}

}  // namespace vernier
