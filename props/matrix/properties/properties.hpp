#pragma once

#include "props/matrix/matrix_property.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// Every property of the matrix, in the order of its columns. A new one is a file here, which defines its
/// function, and a line here.
// clang-format off
VERNIER_REGISTRY(matrix_property_makers, MatrixProperty,
    unique_property,
    bounded_property,
    same_for_every_length_property,
    defined_beyond_property,
    lipschitz_property,
    linear_shift_property,
    offset_only_property,
    symmetric_property,
    constant_norm_property,
    decay_property,
    direction_property);
// clang-format on

}  // namespace vernier
