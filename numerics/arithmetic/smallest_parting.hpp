#pragma once

#include <optional>

#include "numerics/arithmetic/finding.hpp"

namespace vernier {

/// The smallest input at which a computation of one program and one of another part, whether anybody stored
/// it or not: the nearest position, then the first pair, then the first vector of designed_input(). \param
/// is_of_vectors whether rotations are asked, by the table that the first makes or stores \return nothing if
/// none of a million predictions parts
std::optional<PartingInput> smallest_parting(const StoredBits& first, const ArithmeticWays& of_first,
                                             const StoredBits& second, const ArithmeticWays& of_second,
                                             bool is_of_vectors);

}  // namespace vernier
