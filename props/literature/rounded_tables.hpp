#pragma once

#include <array>
#include <string_view>

#include "props/literature/interval_formula.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Ways to make a float32 table of the paper's encoding, as formulas name them.
inline constexpr std::array<std::string_view, 5> table_recipes{
    "correctly-rounded", "float32-rounded-frequency", "float32-pow", "float32-exp-log", "float64-pow"};

/// What tables and frequencies are off by; `recipe` is a place in table_recipes.
///   frequency_error(recipe, d)           the greatest relative error of a frequency, in units of 2^-24
///   table_error(recipe, d, first, last)  the greatest error of an element at these positions
/// And of the table of 5000 positions and 512 columns, for the offsets 1, 5, 100 and 1000:
///   norm_error(recipe)                   the greatest error of a squared norm
///   least_spread(recipe), greatest_spread(recipe)  how far dot products at one offset vary over positions
///   shift_error(recipe)                  how far the rotation by the offset misses the row there
IntervalFunctions rounded_table_functions();

/// The first position in [0, positions) whose row, correctly rounded, is that of an earlier one bit for bit;
/// 0 if all rows differ.
std::int64_t first_repeated_row(const TrigTable& table, Format format, std::int64_t positions);

}  // namespace vernier
