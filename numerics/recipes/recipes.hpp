#pragma once

#include "numerics/recipes/recipe.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every recipe. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(recipe_makers, Recipe,
    float64_reciprocal_power,  // reciprocal_power.cpp
    float32_rounded_frequency,  // rounded_frequency.cpp
    float32_reciprocal_power,  // reciprocal_power.cpp
    float32_exp_log,  // exp_log.cpp
    float32_iterated,  // iterated.cpp
    float32_ratio_power,  // ratio_power.cpp
    float32_interpolated,  // interpolated_exponent.cpp
    float16_throughout,  // exp_log.cpp
    bfloat16_throughout,  // exp_log.cpp
    bfloat16_frequency,  // narrowed.cpp
    float16_frequency,  // narrowed.cpp
    bfloat16_position,  // narrowed.cpp
    float16_position);  // narrowed.cpp
// clang-format on

}  // namespace vernier
