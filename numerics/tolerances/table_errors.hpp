#pragma once

#include "numerics/tolerances/error_bound.hpp"

namespace vernier {

/// The most that any entry of a table may be off by at positions up to `farthest` in magnitude, if it keeps
/// the contract that the model is bound to: the greatest budget (BudgetModel) over all phases.
///
/// A budget depends on the phase only through the value v = |sin f| or |cos f|. Between two powers of two v
/// has one ulp, so that the trigonometry and the storage are greatest at the upper end, and the phase's part,
/// sqrt(1 - v^2) D + v D^2 / 2, at the lower: the greatest of these few sums is a bound, and no less than
/// what some phase allows by more than the width of an octave makes.
GreatestErrors table_errors(const BudgetModel& model, std::int64_t farthest);

}  // namespace vernier
