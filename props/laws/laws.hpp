#pragma once

#include "props/law.hpp"

namespace vernier {

Law sinusoidal_accuracy();
Law sinusoidal_uniqueness();
Law sinusoidal_boundedness();
Law sinusoidal_constant_norm();
Law sinusoidal_linear_shift();
Law sinusoidal_shift_group();
Law sinusoidal_dot_offset_only();
Law sinusoidal_dot_symmetry();

Law rope_accuracy();
Law rope_isometry();
Law rope_additivity();
Law rope_relative_only();
Law rope_pass_through();

}  // namespace vernier
