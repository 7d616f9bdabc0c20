#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

/// What a contract allows to rows of a table, or rotation, whose phases are sums over axes.
class MixedBudget {
 public:
  MixedBudget(const Contract& contract, const TrigTable& mixed, std::span<const PositionMap> maps,
              Format stored);

  /// The budget of a row, as that of place 1 of a table whose frequencies are the phases of the row. A phase
  /// is off by what each term may be, and S - 1 sums round what is at most F = sum_a |p_a w_a|, in whatever
  /// order: by ((1 + u)^(S-1) - 1) F more. A factor that multiplies the sum costs as much as one of each
  /// term. \param places one an axis
  BudgetModel of_row(std::span<const std::int64_t> places) const;

 private:
  std::vector<BudgetModel> models_;  ///< one an axis
};

}  // namespace vernier
