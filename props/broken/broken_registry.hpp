#pragma once

#include "props/broken/broken.hpp"

namespace vernier {

Broken broken_wrong_sign();
Broken broken_wrong_exponent();
Broken broken_column_exponent();
Broken broken_modulo_4096();
Broken broken_half_position();
Broken broken_swapped_pair();
Broken broken_amplitude();
Broken broken_grows_with_position();
Broken broken_sine_only();
Broken broken_position_dependent_base();
Broken broken_bfloat16_position();
Broken broken_absolute_position();
Broken broken_one_constant_reduction();
Broken broken_shifted_by_one();
Broken broken_rotates_backwards();
Broken broken_rotary_dim_frequencies();
Broken broken_key_not_rotated();
Broken broken_key_opposite_direction();
Broken broken_key_other_layout();
Broken broken_aliasing();
Broken broken_shear();
Broken broken_reflection();
Broken broken_pass_through_zeroed();
Broken broken_pass_through_rotated();
Broken broken_wrapped_position();
Broken broken_bfloat16_rotary_position();
Broken broken_dynamic_base();
Broken broken_scaled_rotation();

}  // namespace vernier
