#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "reference/numbers/interval.hpp"

namespace vernier {

/// What formulas call, by name.
using FormulaValues = std::span<const Interval>;
using IntervalFunction = std::function<Interval(FormulaValues arguments)>;
using IntervalFunctions = std::map<std::string, IntervalFunction, std::less<>>;

/// A formula over enclosures of real numbers, as evidence.json has them: "2 / d * g(d, 1) ~ 0.5403". Numbers,
/// named numbers, functions, the operators + - * / ^, and comparisons joined by &&:
///   a < b, a > b, a != b   so for all numbers of both enclosures
///   a == b                 their difference is zero as far as half of the working precision tells
///   a ~ 0.25               a rounds to this decimal
/// Loops name a whole number: sum(i, from, to, f), max, min, and of conditions all(i, from, to, c), which
/// ends at the first that fails, count, and first: the least i of which c holds, `to` + 1 if of none.
/// A condition is 1 or 0, or the interval of both where enclosures do not tell.
/// \throws std::invalid_argument for what is no formula
Interval evaluated(std::string_view formula, const std::map<std::string, Interval, std::less<>>& numbers,
                   const IntervalFunctions& functions);

/// Whether a condition is proved.
bool is_certain(const Interval& condition);

/// The whole number that an argument is. \throws std::invalid_argument if it is none
std::int64_t whole(const Interval& value);

}  // namespace vernier
