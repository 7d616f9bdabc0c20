#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/frequencies/frequency_families.hpp"
#include "reference/tables/trig_table.hpp"

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

/// "first" and "last", the frequencies between which others lie: both of one power of pi, and equal where
/// there is one pair. \param spacing nothing where there are none, and no such key may be
/// \param pairs how many there are
void visit_bounds(KeyVisitor& visit, std::optional<BoundedFrequencies>& bounds,
                  std::optional<BoundedFrequencies::Spacing> spacing, int pairs);
/// "from 1 to 512 by even ratios"
std::string summary_of(const BoundedFrequencies& bounds);

/// What one axis or encoding says of its frequencies beside a base: "geometric", "linear".
inline constexpr std::string_view geometric_name = "geometric";
inline constexpr std::string_view linear_name = "linear";

}  // namespace vernier
