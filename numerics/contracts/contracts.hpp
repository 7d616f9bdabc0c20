#pragma once

#include "numerics/contracts/contract.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every contract. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(contract_makers, Contract,
    exact_contract,
    correctly_rounded_contract,  // nearest.cpp
    faithful_contract,  // nearest.cpp
    float64_contract,  // direct_phase.cpp
    float32_contract,  // direct_phase.cpp
    float16_contract,  // direct_phase.cpp
    bfloat16_contract,  // direct_phase.cpp
    float32_frequency_contract,
    float32_iterated_contract,  // ratio_phase.cpp
    float32_ratio_power_contract,  // ratio_phase.cpp
    float32_interpolated_contract);  // interpolated_exponent.cpp
// clang-format on

}  // namespace vernier
