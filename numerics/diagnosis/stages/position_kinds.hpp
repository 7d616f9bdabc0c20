#pragma once

#include "numerics/decoding/row_rules.hpp"
#include "numerics/diagnosis/fault_kind.hpp"

namespace vernier {

/// The kind of fault that a rule of positions is.
const FaultKind& kind_of(RowRule::Kind kind);

}  // namespace vernier
