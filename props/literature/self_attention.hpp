#pragma once

#include "props/literature/interval_formula.hpp"

namespace vernier {

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

}  // namespace vernier
