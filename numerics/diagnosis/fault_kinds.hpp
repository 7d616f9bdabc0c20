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
    slope_kinds,  // relative/biases/slope_faults.cpp
    slope_value_kinds,  // relative/biases/slope_value_faults.cpp
    multiplier_kinds,  // relative/biases/multiplier_faults.cpp
    bias_kinds,  // relative/biases/bias_diagnosis.cpp
    bias_damage_kinds,  // relative/biases/bias_damage.cpp
    t5_kinds,  // relative/buckets/t5_faults.cpp
    deberta_kinds,  // relative/buckets/deberta_faults.cpp
    span_kinds,  // relative/buckets/span_faults.cpp
    relative_position_kinds,  // relative/buckets/relative_position_faults.cpp
    bucket_damage_kinds,  // relative/buckets/bucket_diagnosis.cpp
    value_kinds,  // relative/values/value_faults.cpp
    value_damage_kinds,  // relative/values/value_damage.cpp
    spec_kinds,  // spec_search.cpp
    element_kinds_told,  // shown_elements.cpp
    unexplained_kinds);
// clang-format on

}  // namespace vernier
