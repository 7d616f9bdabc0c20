#pragma once

#include "props/broken/broken.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every broken implementation. A new one is a file here, which defines its function, and a line here.
VERNIER_REGISTRY(broken_makers, Broken,
                 broken_wrong_sign,                // wrong_sign.cpp
                 broken_wrong_exponent,            // wrong_exponent.cpp
                 broken_column_exponent,           // column_exponent.cpp
                 broken_modulo_4096,               // modulo_4096.cpp
                 broken_half_position,             // half_position.cpp
                 broken_swapped_pair,              // swapped_pair.cpp
                 broken_amplitude,                 // amplitude.cpp
                 broken_grows_with_position,       // grows_with_position.cpp
                 broken_sine_only,                 // sine_only.cpp
                 broken_position_dependent_base,   // position_dependent_base.cpp
                 broken_bfloat16_position,         // bfloat16_position.cpp
                 broken_absolute_position,         // absolute_position.cpp
                 broken_one_constant_reduction,    // one_constant_reduction.cpp
                 broken_shifted_by_one,            // shifted_by_one.cpp
                 broken_rotates_backwards,         // rotates_backwards.cpp
                 broken_rotary_dim_frequencies,    // rotary_dim_frequencies.cpp
                 broken_key_not_rotated,           // key_not_rotated.cpp
                 broken_key_opposite_direction,    // key_opposite_direction.cpp
                 broken_key_other_layout,          // key_other_layout.cpp
                 broken_aliasing,                  // aliasing.cpp
                 broken_shear,                     // shear.cpp
                 broken_reflection,                // reflection.cpp
                 broken_pass_through_zeroed,       // pass_through_zeroed.cpp
                 broken_pass_through_rotated,      // pass_through_rotated.cpp
                 broken_wrapped_position,          // wrapped_position.cpp
                 broken_bfloat16_rotary_position,  // bfloat16_rotary_position.cpp
                 broken_dynamic_base,              // dynamic_base.cpp
                 broken_scaled_rotation            // scaled_rotation.cpp
);

}  // namespace vernier
