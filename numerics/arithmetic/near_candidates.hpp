#pragma once

#include "numerics/arithmetic/finding.hpp"
#include "numerics/arithmetic/search.hpp"

namespace vernier {

/// \file
/// What may be claimed where no computation of the space predicts every bit. Never the nearest whole: in a
/// third of blind draws it was wrong. Claimed are stages on which all near candidates agree, and where the
/// exceptions lie is told.

/// Of a table: first a sine that nobody simulates, as a class (the phase that leaves an error of a few units
/// in the last place, where any other leaves a hundred times as much), else what near candidates agree on.
void tell_near_tables(ArithmeticFinding& finding, const StoredBits& bits, const StoredTable& table);

/// Of vectors by a stored table: for each component what near candidates agree on.
void tell_near_rotations(ArithmeticFinding& finding, const RotationSpace& space, const StoredVectors& vectors,
                         const RowOfPosition& rows);

}  // namespace vernier
