#pragma once

#include "numerics/recipe.hpp"

namespace vernier {

// exp_log.cpp
Recipe float32_exp_log();
Recipe float16_throughout();
Recipe bfloat16_throughout();
// reciprocal_power.cpp
Recipe float32_reciprocal_power();
Recipe float64_reciprocal_power();
// rounded_frequency.cpp
Recipe float32_rounded_frequency();
// iterated.cpp
Recipe float32_iterated();
// ratio_power.cpp
Recipe float32_ratio_power();
// interpolated_exponent.cpp
Recipe float32_interpolated();
// narrowed.cpp
Recipe bfloat16_frequency();
Recipe float16_frequency();
Recipe bfloat16_position();
Recipe float16_position();

}  // namespace vernier
