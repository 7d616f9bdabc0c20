#pragma once

#include "numerics/cases/case.hpp"
#include "reports/checks/elements.hpp"

namespace vernier {

/// Where an element of rotated vectors is, by its index in the tensor: row, position, dimension.
Described described(const RotatedTensor& tensor, std::size_t index);

/// The row of rotated vectors and its position.
Described described_row(const RotatedTensor& tensor, std::size_t row);

}  // namespace vernier
