#pragma once

#include <cstdint>
#include <vector>

#include "reports/exchange/vectors/selection.hpp"

namespace vernier {

/// The positions among which the rows of a group's vectors are chosen, ascending: the first and last of the
/// context, those around powers of two, others evenly spread by their logarithm, the rows whose elements are
/// nearest to zero, to midpoints of each format, and of float16's subnormal numbers; and some beyond the
/// context, where any position has sines.
std::vector<std::int64_t> candidate_positions(const VectorGroup& group);

}  // namespace vernier
