#include "numerics/elements/mixed_budget.hpp"

#include <cmath>
#include <utility>

#include "reference/numbers/real.hpp"

namespace vernier {

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
