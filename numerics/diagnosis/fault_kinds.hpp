#pragma once

#include <vector>

#include "numerics/diagnosis/fault_kind.hpp"
#include "reference/registry.hpp"

namespace vernier {

using FaultKinds = std::vector<const FaultKind*>;

/// The kinds of every stage. A new stage is a file in stages/, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(fault_kind_groups, FaultKinds,
    computation_kinds,  // stages/stage_edits.hpp
    damage_kinds,
    unexplained_kinds);
// clang-format on

}  // namespace vernier
