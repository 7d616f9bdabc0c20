#pragma once

#include <array>
#include <string_view>

#include "props/literature/interval_formula.hpp"
#include "props/matrix/matrix.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// The numbers that formulas name: pi, the formats (float32 ...) and the recipes (correctly_rounded, once,
/// power, exp_log, float64).
std::map<std::string, Interval, std::less<>> named_numbers();

/// What formulas call: functions of numbers, those below, those of attention and of rounded tables. d is the
/// width of the paper's encoding or the head dimension of RoPE, whose frequencies are base^(-2i/d); where
/// the base is left out, it is 10000.
///   w(d, i, base)          the frequency of pair i
///   g(d, k, base)          the sum of cos(k w_i)
///   distance(d, k, base)   of two rows k apart
///   quick_g(d, k)          g as a proved double, for many k from 0 to 20000
///   greatest(d, first, last), greatest_at(d, first, last), root_mean_square(d, first, last)  of g
///   least_gap(d, last)     of two of g(0) ... g(last), or of one from zero
///   first_negative(d, base, still, last)  cosine_sums.hpp
///   Ci, Si, power_mean(alpha, x), series_mean(base, x)  mean_cosines.hpp
///   round(format, x)       the nearest number
IntervalFunctions quantities();

/// Adds name(position, element), an element of the model's code, name.score(query, key), and, for a table of
/// sines, name.repeats(format, positions): rounded_tables.hpp.
void add_functions_of(const std::string& name, const MatrixMember& member, IntervalFunctions& functions);

/// Attention without a mask, of one head of width 4, on five tokens and with three projections that stand for
/// any: thousandths between -1 and 1 without a pattern. Orders of the tokens are numbered as
/// std::next_permutation finds them: 0 leaves them as they are, 24 swaps the first two. `coded` says whether
/// the paper's encoding of each place is added to the token there.
///   weight(order, query, key)            softmax(Q K^T / sqrt(d_k))
///   output(order, coded, place, column)  its product with V
///   pooled(order, coded, column)         the mean of the outputs
///   token_at(order, place)
///   read_out(s, t)                       a sum of the outputs in fixed proportions, with s times the
///   encoding
///                                        of 1 added to token 1 and t times that of 3 to token 3
IntervalFunctions attention_functions();

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
