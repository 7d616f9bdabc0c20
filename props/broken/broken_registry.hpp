#pragma once

#include "props/broken/broken.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every broken implementation. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(broken_makers, Broken,
    broken_wrong_sign,
    broken_wrong_exponent,
    broken_column_exponent,
    broken_modulo_4096,
    broken_half_position,
    broken_swapped_pair,
    broken_amplitude,
    broken_grows_with_position,
    broken_sine_only,
    broken_position_dependent_base,
    broken_bfloat16_position,
    broken_absolute_position,
    broken_one_constant_reduction,
    broken_shifted_by_one,
    broken_rotates_backwards,
    broken_rotary_dim_frequencies,
    broken_key_not_rotated,
    broken_key_opposite_direction,
    broken_key_other_layout,
    broken_aliasing,
    broken_shear,
    broken_reflection,
    broken_pass_through_zeroed,
    broken_pass_through_rotated,
    broken_wrapped_position,
    broken_bfloat16_rotary_position,
    broken_dynamic_base,
    broken_scaled_rotation,
    broken_gradient_forward,  // gradients.cpp
    broken_gradient_layout,  // gradients.cpp
    broken_gradient_half_table,  // gradients.cpp
    broken_gradient_partner,  // gradients.cpp
    broken_gradient_without_amplitude,  // gradients.cpp
    broken_inverse_forward,  // inverses.cpp
    broken_inverse_amplitude);  // inverses.cpp
// clang-format on

}  // namespace vernier
