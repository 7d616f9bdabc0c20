#pragma once

#include <cstdint>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/encoding.hpp"
#include "reference/position_range.hpp"

namespace vernier {

/// Positions up to the greatest magnitude of a range at which phases are hard to reduce, and in turns with
/// them those at which elements are hard to round, of both signs, as those of p and -p are equally hard; the
/// hardest first.
std::vector<std::int64_t> hard_positions(const Encoding& encoding, const PositionRange& range,
                                         ElementType type);

}  // namespace vernier
