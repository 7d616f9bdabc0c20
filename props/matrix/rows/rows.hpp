#pragma once

#include "props/matrix/matrix.hpp"

namespace vernier {

// The rows of the matrix by kind of scheme; each kind is one file here and one line in matrix_rows.cpp.
std::vector<MatrixRow> index_rows();
std::vector<MatrixRow> sine_rows();
std::vector<MatrixRow> sinusoid_rows();
std::vector<MatrixRow> relative_rows();
std::vector<MatrixRow> bilinear_rows();

}  // namespace vernier
