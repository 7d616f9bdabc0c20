#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "numerics/errors/bias_budget.hpp"
#include "numerics/errors/budget.hpp"
#include "reference/trig_table.hpp"
#include "reference/value_table.hpp"

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
  /// Binds the contract to a table stored in a format; null if it says nothing of sines and cosines.
  BudgetModel (*bind)(const TrigTable& table, Format stored) = nullptr;
  /// The same for the biases of one slope; null if it says nothing of them.
  BiasBudget (*bind_bias)(const Slope& slope, Format stored) = nullptr;
  BucketTolerance buckets = BucketTolerance::undefined;
  /// The same for the entries of a table of values, or their factors if they are multiplied by sines; null if
  /// it says nothing of them.
  BiasBudget (*bind_value)(const ValueTable& table, Format stored) = nullptr;
};

/// All contracts: contracts/contracts.hpp lists them.
std::span<const Contract> contracts();

/// The contract of this id, if there is one.
const Contract* contract_named(std::string_view id);

/// The contract of a tensor that declares none: float64 for float64, float32 for float32, float16 and
/// bfloat16 (which are storage of float32 computations far more often than not).
const Contract& default_contract(Format stored);

}  // namespace vernier
