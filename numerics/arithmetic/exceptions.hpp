#pragma once

#include "numerics/arithmetic/finding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {

/// \file
/// What is told where no computation of the space predicts every bit: how many numbers the one with fewest
/// exceptions leaves, and where they lie. No stage of it is claimed: in a third of blind draws it was another
/// than the true one.

/// Of a table.
void tell_exceptions(ArithmeticFinding& finding, const StoredBits& bits, const StoredTable& table);

/// Of vectors by a stored table, for each component.
void tell_exceptions(ArithmeticFinding& finding, const RotationSpace& space, const StoredVectors& vectors,
                     const RowOfPosition& rows);

}  // namespace vernier
