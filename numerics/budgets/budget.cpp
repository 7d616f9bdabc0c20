#include "numerics/budgets/budget.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "numerics/budgets/frequency_error.hpp"
#include "numerics/errors/metrics.hpp"

namespace vernier {
namespace {

std::vector<double> approximate(const Frequencies& frequencies) {
  std::vector<double> result;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    result.push_back(frequencies.approximate(pair));
  }
  return result;
}

}  // namespace

void BudgetModel::Parameters::take_axes(std::span<const PositionMap> maps, std::vector<int> axis_of_pair) {
  position_error = std::vector<PositionError>(maps.begin(), maps.end());
  axis = std::move(axis_of_pair);
}

BudgetModel::BudgetModel(Parameters parameters, const TrigTable& table)
    : BudgetModel(std::move(parameters), approximate(table.frequencies), approximately(table.amplitude)) {
  parameters_.take_axes({&table.positions, 1}, {});
  parameters_.amplitude_roundings = table.amplitude.is_reciprocal() ? 4 : 2;
}

BudgetModel::BudgetModel(Parameters parameters, std::vector<double> frequencies, double amplitude)
    : parameters_(std::move(parameters)), frequencies_(std::move(frequencies)), amplitude_(amplitude) {
  assert(parameters_.frequency_error.size() == frequencies_.size() &&
         parameters_.phase_rounding.size() == frequencies_.size());
}

double BudgetModel::phase(std::int64_t position, int pair) const {
  return std::fabs(static_cast<double>(position)) * frequencies_[static_cast<std::size_t>(pair)];
}

double BudgetModel::place_error(std::int64_t position, int pair) const {
  const auto axis = parameters_.axis.empty() ? 0 : parameters_.axis[static_cast<std::size_t>(pair)];
  return parameters_.position_error[static_cast<std::size_t>(axis)].at(position, parameters_.compute);
}

double BudgetModel::position_error(std::int64_t position, int pair) const {
  const double error = place_error(position, pair);
  return error == 0 ? 0 : error / std::fabs(static_cast<double>(position));
}

bool BudgetModel::reduces(std::int64_t position, int pair) const {
  return phase(position, pair) >= std::numbers::pi / 4;
}

double BudgetModel::relative_phase_error(int pair) const {
  const auto i = static_cast<std::size_t>(pair);
  return compounded(parameters_.frequency_error[i], parameters_.phase_rounding[i]);
}

double BudgetModel::row_error(std::int64_t position, int pair) const {
  return compounded(parameters_.phase_rounding[static_cast<std::size_t>(pair)],
                    position_error(position, pair));
}

double BudgetModel::phase_error(std::int64_t position, int pair) const {
  if (frequency(pair) == 0) {
    return 0;  // even of a position beyond its format
  }
  const double relative = relative_phase_error(pair);
  return phase(position, pair) * relative + place_error(position, pair) * frequency(pair) * (1 + relative);
}

double BudgetModel::trig(std::int64_t position, int pair, double value) const {
  const auto& p = parameters_;
  if (!judges_computation()) {
    return 0;
  }
  const double v = std::fabs(value) / amplitude_;
  const double u = traits(p.compute).unit_roundoff();
  const bool reduced = reduces(position, pair);
  const double trig = std::max(p.trig_ulps * ulp_at(p.compute, v), reduced ? p.trig_roundoffs * u : 0);
  const double scaling = amplitude_ == 1 ? 0 : p.amplitude_roundings * u * (v + trig);
  return amplitude_ * (trig + scaling);
}

double BudgetModel::storage(double magnitude) const {
  if (parameters_.storage_ulps == 0) {
    return 0;
  }
  // Where the position overflows its format, any value at all may have been stored.
  return std::isfinite(magnitude) ? parameters_.storage_ulps * ulp_at(parameters_.stored, magnitude)
                                  : std::numeric_limits<double>::infinity();
}

std::string_view Budget::largest_term() const {
  const std::array terms{std::pair(phase, "the phase"), std::pair(trig, "the sine or cosine"),
                         std::pair(storage, "the rounding to the stored format"),
                         std::pair(scale, "the scale of the position"),
                         std::pair(products, "the roundings of the arithmetic")};
  return std::ranges::max_element(terms, {}, &std::pair<double, const char*>::first)->second;
}

Budget BudgetModel::at(std::int64_t position, int pair, double value, double partner) const {
  const double v = std::fabs(value) / amplitude_;
  Budget budget;
  const double d = phase_error(position, pair);
  budget.phase = amplitude_ * std::min(d, std::fabs(partner) / amplitude_ * d + v * d * d / 2);
  budget.trig = trig(position, pair, value);
  budget.storage = storage(std::fabs(value) + budget.phase + budget.trig);
  return budget;
}

Format arithmetic_of(Format compute, Format stored) {
  return traits(stored).is_storage_only() || traits(compute).precision < traits(stored).precision ? compute
                                                                                                  : stored;
}

double last_rounding(const BudgetModel& model, Format stored, double magnitude) {
  const bool adds = model.judges_computation() && traits(stored).is_storage_only();
  return !adds                      ? 0
         : std::isfinite(magnitude) ? ulp_at(stored, magnitude) / 2
                                    : std::numeric_limits<double>::infinity();
}

Budget rotated_budget(const Budget& cosine, const Budget& sine, double c, double s, double x0, double x1,
                      double phase_error, Format arithmetic) {
  const double u = traits(arithmetic).unit_roundoff();
  const double reach =
      std::fabs(x0) * (std::fabs(c) + cosine.total()) + std::fabs(x1) * (std::fabs(s) + sine.total());
  const double a = std::fabs(x0);
  const double b = std::fabs(x1);
  return {.phase = std::hypot(x0, x1) * phase_error,
          .trig = cosine.trig * a + sine.trig * b,
          .storage = cosine.storage * a + sine.storage * b,
          .scale = cosine.scale * a + sine.scale * b,
          .products = reach * (2 * u + u * u) + 2 * traits(arithmetic).smallest()};
}

double rounding_budget(Format stored, double ulps, double got, const Enclosure& truth) {
  assert(is_member(stored, got));
  if (!std::isfinite(truth.approximately())) {
    return std::numeric_limits<double>::infinity();
  }
  const bool is_exact = truth.radius == 0 && truth.middle.low == 0;
  if (is_exact && is_member(stored, truth.middle.high)) {
    return 0;
  }
  const double widest = ulp_at(stored, truth.approximately());
  if (!std::isfinite(got)) {
    return ulps * widest;
  }
  const double neighbour = signed_error(got, truth) > 0 ? next_down(stored, got) : next_up(stored, got);
  const double gap = std::fabs(neighbour - got);
  // Far from the truth, and beyond the greatest number, it is that of no number next to it.
  return ulps * (gap < widest ? gap : widest);
}

}  // namespace vernier
