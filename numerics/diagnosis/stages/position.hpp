#pragma once

#include <vector>

#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// The kind of fault that a rule of positions is.
const FaultKind& kind_of(RowRule::Kind kind);

/// Maps of positions, read off the rows: which positions each may hold by all of the base but its places.
/// Nothing where all may hold their own. Of tokens that have several positions, one map of all.
void propose_position_maps(const Clues& clues, Proposals& out);

/// Positions that several rows hold, and numbers by which theirs are larger than the declared ones: each of
/// all rows.
void propose_frequent_places(const Clues& clues, Proposals& out);

}  // namespace vernier
