#include "numerics/budgets/bias_budget.hpp"

#include <cmath>

#include "numerics/budgets/budget.hpp"

namespace vernier {
namespace {

BiasBudget looked_up(Format compute, Format stored) {
  const bool computed_narrower = traits(compute).precision < traits(stored).precision;
  return {stored, computed_narrower ? traits(compute).unit_roundoff() : 0.0, 0.5};
}

}  // namespace

Budget BiasBudget::by_cause(std::optional<double> got, const Enclosure& truth) const {
  const double magnitude = std::fabs(truth.approximately());
  const double computed = magnitude * relative + absolute;
  if (got && computed == 0) {
    return {.storage = rounding_budget(stored, storage_ulps, *got, truth)};
  }
  return {.storage = storage_ulps == 0 ? 0 : storage_ulps * ulp_at(stored, magnitude + computed),
          .products = computed};
}

bool BiasBudget::inconclusive_at(double value) const {
  const double magnitude = std::fabs(value);
  return proves_nothing(magnitude * relative + absolute, magnitude);
}

BiasBudget power_budget(const Slope& slope, Format compute, Format stored) {
  const double u = traits(compute).unit_roundoff();
  const bool stored_narrower = traits(stored).precision < traits(compute).precision;
  const bool is_whole = boost::multiprecision::denominator(slope.step) == 1;
  const double value = std::exp2(-approximately(slope.step) * static_cast<double>(slope.power));
  const bool is_lost = value < traits(compute).smallest_normal() && !(is_whole && is_member(compute, value));
  const double of_lost = is_lost ? 2 * ulp_at(compute, value) / value : 0;
  if (is_whole) {
    return {stored, of_lost + (stored_narrower ? u : 0), 0.5};
  }
  const double growth = slope.growth(u);
  return {stored, of_lost + growth + (1 + growth) * u * (2 + u), stored_narrower ? 0.5 : 0.0};
}

BiasBudget value_budget(const ExactTable& table, Format compute, Format stored) {
  const double u = traits(compute).unit_roundoff();
  const auto precision = traits(compute).precision;
  if (table.making == ExactTable::Making::lookup) {
    return looked_up(compute, stored);
  }
  const int roundings = table.sines ? 5 : 4;
  const double relative = std::expm1(roundings * std::log1p(u + 2 * u * u));
  return {stored, relative, traits(stored).precision < precision ? 0.5 : 0.0};
}

BiasBudget computed_budget(const ComputedReal& number, Format compute, Format stored) {
  if (!number.error) {
    return looked_up(compute, stored);
  }
  const bool stored_narrower = traits(stored).precision < traits(compute).precision;
  return {stored, 0, stored_narrower ? 0.5 : 0.0, number.error(traits(compute).unit_roundoff())};
}

}  // namespace vernier
