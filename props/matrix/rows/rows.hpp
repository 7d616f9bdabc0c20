#pragma once

#include "props/matrix/matrix.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// The rows of the matrix by kind of scheme, in order. Schemes without one have a row of their examples
/// (example_rows). A new kind is a file here, which defines its function, and a line here.
// clang-format off
VERNIER_REGISTRY(matrix_row_makers, std::vector<MatrixRow>,
    index_rows,
    sine_rows,
    sinusoid_rows,
    relative_rows,
    bilinear_rows);
// clang-format on

}  // namespace vernier
