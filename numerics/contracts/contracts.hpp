#pragma once

#include "numerics/contract.hpp"

namespace vernier {

// exact.cpp
Contract exact_contract();
// nearest.cpp
Contract correctly_rounded_contract();
Contract faithful_contract();
// direct_phase.cpp
Contract float64_contract();
Contract float32_contract();
Contract float16_contract();
Contract bfloat16_contract();
// ratio_phase.cpp
Contract float32_iterated_contract();
Contract float32_ratio_power_contract();
// interpolated_exponent.cpp
Contract float32_interpolated_contract();

}  // namespace vernier
