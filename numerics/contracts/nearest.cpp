#include "numerics/contracts/contracts.hpp"

namespace vernier {
namespace {

/// The element is the truth rounded: the nearest number, or one of the two around it (rounding_budget()).
/// Nothing is said of how it was computed: no rounding of positions is allowed for, which float64
/// does not have.
BudgetModel nearest(const TrigTable& table, Format stored, double ulps) {
  const std::vector<double> none(static_cast<std::size_t>(table.frequencies.pairs()), 0.0);
  return {{none, none, Format::binary64, stored, 0, 0, ulps}, table};
}

}  // namespace

Contract correctly_rounded_contract() {
  return {"correctly-rounded",
          "every element is the number of its format nearest to the truth",
          "half an ulp of the truth",
          [](const TrigTable& table, Format stored) { return nearest(table, stored, 0.5); },
          [](const Slope&, Format stored) {
            return BiasBudget{stored, 0, 0.5};
          },
          BucketTolerance::undefined,
          [](const ExactTable&, Format stored) {
            return BiasBudget{stored, 0, 0.5};
          },
          [](const ComputedReal&, Format stored) {
            return BiasBudget{stored, 0, 0.5};
          }};
}

Contract faithful_contract() {
  return {"faithful",
          "every element is one of the two numbers of its format that enclose the truth",
          "less than one ulp of the truth",
          [](const TrigTable& table, Format stored) { return nearest(table, stored, 1); },
          [](const Slope&, Format stored) {
            return BiasBudget{stored, 0, 1};
          },
          BucketTolerance::undefined,
          [](const ExactTable&, Format stored) {
            return BiasBudget{stored, 0, 1};
          },
          [](const ComputedReal&, Format stored) {
            return BiasBudget{stored, 0, 1};
          }};
}

}  // namespace vernier
