#pragma once

#include "numerics/budgets/budget.hpp"
#include "reference/frequencies/frequency_families.hpp"

namespace vernier {

// What a budget lets pass of the parameters of a table: an encoding that differs from the one meant by no
// more cannot be told from an honest computation of it.

/// How far the base may be off, as a share of it, to first order. A base off by d of itself moves the
/// frequency b^-e by e d of itself, which may be off by r (frequency_error): the least r / e of all pairs.
/// \param compute the format in which frequencies are computed
double base_allowance(const GeometricFrequencies& frequencies, Format compute);

/// How far an amplitude may be off, as a share of it: it moves every value by that share, and what the budget
/// leaves apart from the phase is least, as a share of the value, right below a power of two.
double amplitude_allowance(const BudgetModel& model);

}  // namespace vernier
