#pragma once

#include "props/law.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every law. A new one is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(law_makers, Law,
    sinusoidal_accuracy,
    sinusoidal_uniqueness,
    sinusoidal_boundedness,
    sinusoidal_constant_norm,
    sinusoidal_linear_shift,
    sinusoidal_shift_group,
    sinusoidal_dot_offset_only,
    sinusoidal_dot_symmetry,
    rope_accuracy,
    rope_isometry,
    rope_additivity,
    rope_relative_only,
    rope_pass_through);
// clang-format on

}  // namespace vernier
