#include "numerics/scale_budget.hpp"

#include <cmath>
#include <limits>

namespace vernier {
namespace {

/// What z may be off by, as a logarithm.
double ratio_error(const BudgetModel& model, const PositionScale& scale, int pair, double rounding) {
  const double share = approximately(scale.ratios.front() / scale.ratios[static_cast<std::size_t>(pair)]);
  const double of_index = model.position_error(2 * static_cast<std::int64_t>(pair));
  return (4 + 2 * share) * rounding + (1 - share) * of_index;
}

/// What x may be off by, relative to itself. \param distance |p - c| > 0
double exponent_error(const BudgetModel& model, const PositionScale& scale, std::int64_t position,
                      double distance, double rounding) {
  const auto format = model.parameters().compute;
  const double of_position = model.position_error(position) * std::fabs(static_cast<double>(position));
  const double of_centre = model.position_error(scale.centre) * std::fabs(static_cast<double>(scale.centre));
  const bool is_exact = of_position == 0 && of_centre == 0;
  const double of_difference = is_exact ? model.position_error(position - scale.centre)
                                        : (of_position + of_centre) / distance + rounding;
  const double base = approximately(scale.base);
  const double of_base = std::fabs(round_to(format, base) / base - 1);
  const bool is_power_of_two = std::exp2(std::ilogb(base)) == base && exact_rational(base) == scale.base;
  return of_difference + of_base + (is_power_of_two ? 0 : rounding);
}

/// The smallest subnormal, as a share of a power below the normal range; infinite of one that overflows.
double range_error(double power, Format format) {
  const auto& t = traits(format);
  if (power > t.largest()) {
    return std::numeric_limits<double>::infinity();
  }
  return power < t.smallest_normal() ? t.smallest() / power : 0;
}

}  // namespace

double scale_error(const BudgetModel& model, const PositionScale& scale, std::int64_t position, int pair) {
  const auto format = model.parameters().compute;
  const double distance = std::fabs(static_cast<double>(position - scale.centre));
  if (distance == 0 || model.parameters().trig_ulps == 0) {
    return 0;
  }
  const double u = traits(format).unit_roundoff();
  // Errors are added up as logarithms: one rounding is ln(1 + u) or -ln(1 - u) at most. What is neglected
  // where a share of a sum is off, u h of it, is less than 4u of the whole.
  const double rounding = -std::log1p(-u) * (1 + 4 * u);
  const double exponent = distance / approximately(scale.base);
  const double magnitude = std::fabs(std::log(approximately(scale.ratios[static_cast<std::size_t>(pair)])));
  const double of_exponent = exponent_error(model, scale, position, distance, rounding);
  const double power_error =
      exponent * (ratio_error(model, scale, pair, rounding) * (1 + of_exponent) + magnitude * of_exponent);
  const double power = std::exp(exponent * magnitude * (position < scale.centre ? 1 : -1));
  const double computed = std::expm1(power_error + 2 * rounding + (scale.is_reciprocal ? rounding : 0));
  return computed + range_error(power, format) * (1 + computed);
}

double product_error(const BudgetModel& model, const ScaleAt& scale, Format product) {
  const bool is_scaled = scale.error != 0 || scale.value != 1;
  if (!is_scaled || model.parameters().trig_ulps == 0) {
    return 0;
  }
  const double u = traits(product).unit_roundoff();
  return scale.error + u + scale.error * u;
}

namespace {

/// Puts the scale to what phase and trigonometry make of a component.
void scale_computed(const BudgetModel& model, const ScaleAt& scale, Format product, double value,
                    Budget& budget) {
  const double e = product_error(model, scale, product);
  budget.phase *= scale.value * (1 + e);
  budget.trig =
      scale.value * ((1 + e) * budget.trig + e * std::fabs(value)) + (e > 0 ? traits(product).smallest() : 0);
  budget.storage = model.storage(scale.value * std::fabs(value) + budget.phase + budget.trig);
}

}  // namespace

Budget scaled_budget(const BudgetModel& model, std::int64_t position, int pair, double value, double partner,
                     const ScaleAt& scale, Format product) {
  auto budget = model.at(position, pair, value, partner);
  scale_computed(model, scale, product, value, budget);
  return budget;
}

Budget greatest_scaled_budget(const BudgetModel& model, std::int64_t position, int pair, const ScaleAt& scale,
                              Format product) {
  Budget budget;
  budget.trig = model.trig(position, pair, model.amplitude());
  scale_computed(model, scale, product, model.amplitude(), budget);
  return budget;
}

}  // namespace vernier
