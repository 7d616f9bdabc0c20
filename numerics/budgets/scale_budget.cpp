#include "numerics/budgets/scale_budget.hpp"

#include <cmath>
#include <limits>

namespace vernier {
namespace {

/// The smallest subnormal, as a share of a power below the normal range; infinite of one that overflows.
double range_error(double power, Format format) {
  const auto& t = traits(format);
  if (power > t.largest()) {
    return std::numeric_limits<double>::infinity();
  }
  return power < t.smallest_normal() ? t.smallest() / power : 0;
}

}  // namespace

// Errors are added up as logarithms: one rounding is ln(1 + u) or -ln(1 - u) at most. What is neglected where
// a share of a sum is off, u h of it, is less than 4u of the whole.
ScaleErrors::ScaleErrors(const BudgetModel& model, const PositionScale& scale)
    : model_(model),
      centre_(scale.centre),
      is_reciprocal_(scale.is_reciprocal),
      base_(approximately(scale.base)) {
  const auto format = model.parameters().compute;
  const double u = traits(format).unit_roundoff();
  rounding_ = -std::log1p(-u) * (1 + 4 * u);
  const bool is_power_of_two = std::exp2(std::ilogb(base_)) == base_ && exact_rational(base_) == scale.base;
  base_error_ = std::fabs(round_to(format, base_) / base_ - 1) + (is_power_of_two ? 0 : rounding_);
  for (std::size_t pair = 0; pair < scale.ratios.size(); ++pair) {
    const double share = approximately(scale.ratios.front() / scale.ratios[pair]);
    const double of_index = model.position_error(2 * static_cast<std::int64_t>(pair), 0);
    pairs_.push_back({(4 + 2 * share) * rounding_ + (1 - share) * of_index,
                      std::fabs(std::log(approximately(scale.ratios[pair])))});
  }
}

/// What x may be off by, relative to itself. \param distance |p - c| > 0
double ScaleErrors::exponent_error(std::int64_t position, double distance) const {
  const double of_position = model_.position_error(position, 0) * std::fabs(static_cast<double>(position));
  const double of_centre = model_.position_error(centre_, 0) * std::fabs(static_cast<double>(centre_));
  const bool is_exact = of_position == 0 && of_centre == 0;
  return base_error_ + (is_exact ? model_.position_error(position - centre_, 0)
                                 : (of_position + of_centre) / distance + rounding_);
}

double ScaleErrors::at(std::int64_t position, int pair) const {
  const double distance = std::fabs(static_cast<double>(position - centre_));
  if (distance == 0 || model_.parameters().trig_ulps == 0) {
    return 0;
  }
  const auto& of_pair = pairs_[static_cast<std::size_t>(pair)];
  const double exponent = distance / base_;
  const double of_exponent = exponent_error(position, distance);
  const double power_error = exponent * (of_pair.error * (1 + of_exponent) + of_pair.magnitude * of_exponent);
  const double power = std::exp(exponent * of_pair.magnitude * (position < centre_ ? 1 : -1));
  const double computed = std::expm1(power_error + (is_reciprocal_ ? 3 : 2) * rounding_);
  return computed + range_error(power, model_.parameters().compute) * (1 + computed);
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
  budget.trig *= scale.value * (1 + e);
  budget.scale = scale.value * e * std::fabs(value) + (e > 0 ? traits(product).smallest() : 0);
  budget.storage = model.storage(scale.value * std::fabs(value) + budget.phase + budget.trig + budget.scale);
}

}  // namespace

Budget scaled_budget(const BudgetModel& model, std::int64_t position, int pair, double value, double partner,
                     const ScaleAt& scale, Format product) {
  return scaled(model, model.at(position, pair, value, partner), value, scale, product);
}

Budget scaled(const BudgetModel& model, Budget component, double value, const ScaleAt& scale,
              Format product) {
  if (scale.value != 1 || scale.error != 0) {
    scale_computed(model, scale, product, value, component);
  }
  return component;
}

Budget turned_budget(const BudgetModel& model, std::int64_t position, int pair, double c, double s,
                     double own, double other, const ScaleAt& scale, Format arithmetic) {
  const double phase_error =
      model.phase_error(position, pair) * (1 + product_error(model, scale, arithmetic));
  return rotated_budget(scaled_budget(model, position, pair, c, s, scale, arithmetic),
                        scaled_budget(model, position, pair, s, c, scale, arithmetic), scale.value * c,
                        scale.value * s, own, other, model.amplitude() * scale.value * phase_error,
                        arithmetic);
}

Budget greatest_scaled_budget(const BudgetModel& model, std::int64_t position, int pair, const ScaleAt& scale,
                              Format product) {
  Budget budget;
  budget.trig = model.trig(position, pair, model.amplitude());
  scale_computed(model, scale, product, model.amplitude(), budget);
  return budget;
}

}  // namespace vernier
