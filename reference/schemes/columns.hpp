#pragma once

#include <string_view>
#include <vector>

#include "reference/trig_table.hpp"

namespace vernier {

class KeyVisitor;

/// Which component of a pair comes first.
enum class PairOrder { sin_cos, cos_sin };

/// The key "order".
void visit_pair_order(KeyVisitor& visit, PairOrder& order);

/// Two columns a pair, side by side.
std::vector<Column> interleaved_pairs(int pairs, PairOrder order);
/// One column a pair, its sine.
std::vector<Column> sines_of(int pairs);

}  // namespace vernier
