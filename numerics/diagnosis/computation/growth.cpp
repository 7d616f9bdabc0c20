#include "numerics/diagnosis/computation/growth.hpp"

#include <cmath>
#include <utility>

namespace vernier {
namespace {

/// A quotient of small integers, to the precision of the type.
long double extended(const Rational& value) {
  return numerator(value).convert_to<long double>() / denominator(value).convert_to<long double>();
}

/// What a contract says of the formats; nothing of frequencies.
BudgetModel::Parameters formats_of(BudgetModel::Parameters parameters) {
  parameters.frequency_error.clear();
  parameters.phase_rounding.clear();
  return parameters;
}

}  // namespace

Growth::Growth(const BudgetModel::Parameters& parameters, PositionScale scale)
    : scale_(std::move(scale)),
      model_(formats_of(parameters), std::vector<double>(), 1),
      errors_(model_, scale_),
      slope_((scale_.is_reciprocal ? -1 : 1) / extended(scale_.base)) {
  for (const auto& ratio : scale_.ratios) {
    logarithms_.push_back(std::log(extended(ratio)));
  }
}

std::shared_ptr<const Growth> Growth::with(PositionScale scale) const {
  return std::make_shared<const Growth>(model_.parameters(), std::move(scale));
}

Growth::Factor Growth::at(double place, std::int64_t position, int pair) const {
  const long double exponent =
      (static_cast<long double>(place) - static_cast<long double>(scale_.centre)) * slope_;
  const long double exact = std::exp(exponent * logarithms_[static_cast<std::size_t>(pair)]);
  return {exact, {static_cast<double>(exact), errors_.at(position, pair)}};
}

}  // namespace vernier
