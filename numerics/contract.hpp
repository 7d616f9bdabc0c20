#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "numerics/budget.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// What an implementation declares to keep. It is judged by this, and told how far from the truth it is
/// besides.
struct Contract {
  std::string_view id;       ///< "float32"
  std::string_view meaning;  ///< one sentence
  std::string_view budget;   ///< the formula, in words and symbols
  /// Binds the contract to a table stored in a format.
  BudgetModel (*bind)(const TrigTable& table, Format stored);
};

/// All contracts. A new contract is one file in contracts/ and one line in contract_registry.cpp.
std::span<const Contract> contracts();

/// The contract of this id, if there is one.
const Contract* contract_named(std::string_view id);

/// The contract of a tensor that declares none: float64 for float64, float32 for float32, float16 and
/// bfloat16 (which are storage of float32 computations far more often than not).
const Contract& default_contract(Format stored);

}  // namespace vernier
