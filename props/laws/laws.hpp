#pragma once

#include "props/law.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every law. A new one is a file here, which defines its function, and a line here.
VERNIER_REGISTRY(law_makers, Law,
                 sinusoidal_accuracy,         // sinusoidal_accuracy.cpp
                 sinusoidal_uniqueness,       // sinusoidal_uniqueness.cpp
                 sinusoidal_boundedness,      // sinusoidal_boundedness.cpp
                 sinusoidal_constant_norm,    // sinusoidal_constant_norm.cpp
                 sinusoidal_linear_shift,     // sinusoidal_linear_shift.cpp
                 sinusoidal_shift_group,      // sinusoidal_shift_group.cpp
                 sinusoidal_dot_offset_only,  // sinusoidal_dot_offset_only.cpp
                 sinusoidal_dot_symmetry,     // sinusoidal_dot_symmetry.cpp
                 rope_accuracy,               // rope_accuracy.cpp
                 rope_isometry,               // rope_isometry.cpp
                 rope_additivity,             // rope_additivity.cpp
                 rope_relative_only,          // rope_relative_only.cpp
                 rope_pass_through            // rope_pass_through.cpp
);

}  // namespace vernier
