#pragma once

#include "props/matrix/matrix_property.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every property of the matrix, in the order of its columns. A new one is a file here, which defines its
/// function, and a line here.
VERNIER_REGISTRY(matrix_property_makers, MatrixProperty,
                 unique_property,                 // unique.cpp
                 bounded_property,                // bounded.cpp
                 same_for_every_length_property,  // same_for_every_length.cpp
                 defined_beyond_property,         // defined_beyond.cpp
                 lipschitz_property,              // lipschitz.cpp
                 linear_shift_property,           // linear_shift.cpp
                 offset_only_property,            // offset_only.cpp
                 symmetric_property,              // symmetric.cpp
                 constant_norm_property,          // constant_norm.cpp
                 decay_property,                  // decay.cpp
                 direction_property               // direction.cpp
);

}  // namespace vernier
