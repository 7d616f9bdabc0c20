#pragma once

#include "props/literature/interval_formula.hpp"
#include "props/matrix/matrix.hpp"

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

}  // namespace vernier
