#include "numerics/elements/mixed_row.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include "reference/ladder/certified_table.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

TrigTable cosines_along(const TrigTable& mixed, std::size_t axis, const PositionMap& map) {
  auto result = table_along(mixed, axis, map);
  result.columns.clear();
  for (int pair = 0; pair < result.frequencies.pairs(); ++pair) {
    result.columns.push_back({pair, Component::cosine});
  }
  return result;
}

}  // namespace

MixedRow::MixedRow(const TrigTable& mixed, std::span<const PositionMap> maps,
                   std::span<const std::vector<std::int64_t>> by_axis)
    : by_axis_(by_axis.begin(), by_axis.end()), places_(by_axis.size()) {
  assert(maps.size() == by_axis.size());
  for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
    tables_.push_back(certified_table_for(cosines_along(mixed, axis, maps[axis]), by_axis[axis]));
  }
  for (auto* numbers : {&sine_, &cosine_, &sine_of_axis_, &cosine_of_axis_}) {
    numbers->resize(tables_.front().columns());
  }
}

void MixedRow::go_to(std::size_t row) {
  for (std::size_t axis = 0; axis < tables_.size(); ++axis) {
    places_[axis] = by_axis_[axis][row];
    tables_[axis].row(places_[axis], cosine_of_axis_, sine_of_axis_);
    for (std::size_t i = 0; i < sine_.size(); ++i) {
      const auto& c = cosine_of_axis_[i];
      const auto& s = sine_of_axis_[i];
      const auto cosine = axis == 0 ? c : cosine_[i] * c + -(sine_[i] * s);
      sine_[i] = axis == 0 ? s : sine_[i] * c + cosine_[i] * s;
      cosine_[i] = cosine;
    }
  }
}

MixedBudget::MixedBudget(const Contract& contract, const TrigTable& mixed, std::span<const PositionMap> maps,
                         Format stored) {
  for (std::size_t axis = 0; axis < maps.size(); ++axis) {
    models_.push_back(contract.bind(table_along(mixed, axis, maps[axis]), stored));
  }
}

BudgetModel MixedBudget::of_row(std::span<const std::int64_t> places) const {
  const auto& of_axis = models_.front().parameters();
  const double of_sums =
      models_.front().judges_computation()
          ? growth_by(static_cast<double>(models_.size() - 1), traits(of_axis.compute).unit_roundoff())
          : 0;
  std::vector<double> phases;
  std::vector<double> errors;
  for (int pair = 0; pair < models_.front().pairs(); ++pair) {
    double reach = 0;
    double error = 0;
    for (std::size_t axis = 0; axis < models_.size(); ++axis) {
      reach += models_[axis].phase(places[axis], pair);
      error += models_[axis].phase_error(places[axis], pair);
    }
    error += (reach + error) * of_sums;
    // What is computed may reach so far; of a position beyond its format nothing is known.
    phases.push_back(std::isfinite(error) ? reach + error : reach + 1);
    errors.push_back(phases.back() == 0 ? 0 : error / phases.back());
  }
  std::vector<double> no_roundings(phases.size());
  return {{std::move(errors), std::move(no_roundings), of_axis.compute, of_axis.stored, of_axis.trig_ulps,
           of_axis.trig_roundoffs, of_axis.storage_ulps, of_axis.amplitude_roundings},
          std::move(phases),
          models_.front().amplitude()};
}

}  // namespace vernier
