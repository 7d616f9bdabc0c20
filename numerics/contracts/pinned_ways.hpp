#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "numerics/arithmetic/finding.hpp"

namespace vernier {

/// A stage whose way is promised.
struct PinnedWay {
  ArithmeticStage stage = ArithmeticStage::order;
  std::int8_t way = 0;
};

/// "table=nearest,y0_products=float32-each", as documents write the ids.
/// \throws InputError for a stage or a way that there is not
std::vector<PinnedWay> pinned_ways(std::string_view text);

/// Whether some computation that takes these ways predicts every bit.
bool keeps(const ArithmeticFinding& finding, const std::vector<PinnedWay>& pinned);

}  // namespace vernier
