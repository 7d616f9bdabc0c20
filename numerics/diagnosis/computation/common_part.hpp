#pragma once

#include <optional>

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/fault_kind.hpp"

namespace vernier {

/// Whether a stage belongs to what tables and the vectors rotated by them have in common: what the angles are
/// of, from frequencies to the amplitude.
bool is_common(Stage stage);

/// The computation with all of another's common part, as was found of other tensors of one implementation.
/// Nothing where the two are declared to have other pairs or rows. \param declared, other_declared of the
/// two, as their specs declare them
std::optional<Computation> with_common_part(const Computation& declared, const Computation& other,
                                            const Computation& other_declared);

}  // namespace vernier
