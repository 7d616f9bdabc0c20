#pragma once

#include "props/matrix/matrix.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// The rows of the matrix by kind of scheme, in order. Schemes without one have a row of their examples
/// (example_rows). A new kind is a file here, which defines its function, and a line here.
VERNIER_REGISTRY(matrix_row_makers, std::vector<MatrixRow>,
                 index_rows,     // index_rows.cpp
                 sine_rows,      // sine_rows.cpp
                 sinusoid_rows,  // sinusoid_rows.cpp
                 relative_rows,  // relative_rows.cpp
                 bilinear_rows   // bilinear_rows.cpp
);

}  // namespace vernier
