#pragma once

#include <span>
#include <string_view>

#include "numerics/budgets/bias_budget.hpp"
#include "numerics/budgets/budget.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// What a contract says of buckets of relative positions.
enum class BucketTolerance {
  undefined,   ///< nothing: it is no contract for them
  none,        ///< every bucket is the right one
  across_edge  ///< where a relative position lies exactly on an edge, the bucket on its other side will do
};

/// What an implementation declares to keep. It is judged by this, and told how far from the truth it is
/// besides.
struct Contract {
  std::string_view id;       ///< "float32"
  std::string_view meaning;  ///< one sentence
  std::string_view budget;   ///< the formula, in words and symbols
  /// The budget of sines and cosines stored in a format; null if it says nothing of them.
  BudgetModel (*of_sines)(const TrigTable& table, Format stored) = nullptr;
  /// The same of the biases of one slope.
  BiasBudget (*of_slope)(const Slope& slope, Format stored) = nullptr;
  BucketTolerance of_buckets = BucketTolerance::undefined;
  /// The same of the entries of a table of values, or of their factors if they are multiplied by sines.
  BiasBudget (*of_values)(const ExactTable& table, Format stored) = nullptr;
  /// The same of a number that says its own roundings.
  BiasBudget (*of_computed)(const ComputedReal& number, Format stored) = nullptr;

  /// Whether it says what such a tensor may be off by.
  bool judges(const TensorDefinition& definition) const;

  /// \name The contract bound to what a tensor holds. \pre it judges that
  /// @{
  BudgetModel bind(const TrigTable& table, Format stored) const { return of_sines(table, stored); }
  BudgetModel bind(const TurnedTable& table, Format stored) const { return of_sines(table.sines, stored); }
  BiasBudget bind(const Slope& slope, Format stored) const { return of_slope(slope, stored); }
  BiasBudget bind(const ExactTable& table, Format stored) const { return of_values(table, stored); }
  BiasBudget bind(const ComputedReal& number, Format stored) const { return of_computed(number, stored); }
  /// @}
  /// What a stored frequency of sines may be off by: what the contract allows the frequency itself. A buffer
  /// of another type is not allowed its own rounding, as all phases are computed from it; but of a contract
  /// that says only how numbers are rounded, this rounding. \param model of the sines, as this contract has
  /// it
  static BiasBudget of_frequency(const BudgetModel& model, int pair);
};

/// All contracts: contracts.cpp lists them.
std::span<const Contract> contracts();

/// The contract of this id, if there is one.
const Contract* contract_named(std::string_view id);

/// The contract of a tensor that declares none: float64 for float64, float32 for float32, float16 and
/// bfloat16 (which are storage of float32 computations far more often than not).
const Contract& default_contract(Format stored);

}  // namespace vernier
