#pragma once

#include "props/matrix/matrix_property.hpp"

namespace vernier {

// Each property of the matrix is one file here and one line in matrix_properties.cpp.
MatrixProperty unique_property();
MatrixProperty bounded_property();
MatrixProperty same_for_every_length_property();
MatrixProperty defined_beyond_property();
MatrixProperty lipschitz_property();
MatrixProperty linear_shift_property();
MatrixProperty offset_only_property();
MatrixProperty symmetric_property();
MatrixProperty constant_norm_property();
MatrixProperty decay_property();
MatrixProperty direction_property();

}  // namespace vernier
