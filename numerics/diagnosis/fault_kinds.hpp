#pragma once

#include <vector>

#include "numerics/diagnosis/fault_kind.hpp"
#include "reference/registry.hpp"

namespace vernier {

using FaultKinds = std::vector<const FaultKind*>;

/// The kinds of every stage. A new stage is a file in stages/, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(fault_kind_groups, FaultKinds,
    slope_kinds,  // relative/slope_faults.cpp
    slope_value_kinds,  // relative/slope_value_faults.cpp
    multiplier_kinds,  // relative/multiplier_faults.cpp
    bias_kinds,  // relative/bias_diagnosis.cpp
    bias_damage_kinds,  // relative/bias_damage.cpp
    t5_kinds,  // relative/t5_faults.cpp
    deberta_kinds,  // relative/deberta_faults.cpp
    span_kinds,  // relative/span_faults.cpp
    relative_position_kinds,  // relative/relative_position_faults.cpp
    bucket_damage_kinds,  // relative/bucket_diagnosis.cpp
    value_kinds,  // relative/value_faults.cpp
    shared_value_kinds,  // relative/value_faults.cpp
    shared_damage_kinds,  // relative/value_damage.cpp
    unexplained_kinds);
// clang-format on

}  // namespace vernier
