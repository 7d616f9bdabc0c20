#pragma once

#include <vector>

#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/identification/diagnosis.hpp"

namespace vernier {

/// Names the likely fault of rotated vectors that fail their contract, as diagnose() does for tables: tries
/// the other direction, layouts of pairs, table and result, other numbers of rotating dimensions, vectors
/// left as they are, and the readings of the spec that tables may have (spec_edits.hpp). Returns those under
/// which *every* conclusive element is within its budget, more than a fifth being conclusive, and what passes
/// through is untouched. Of rows with several positions and of scaled rotations it says nothing.
/// \param tensor fails as declared \param threads how many may work
std::vector<SpecEdit> diagnose_rotated(const RotatedTensor& tensor, unsigned threads = 1);

}  // namespace vernier
