#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/cases/tensor_of.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// A tensor of rows of values, of any type.
using ExactTensor = TensorOf<ExactTable>;

/// Judges every element. \param positions one a row \throws InputError for a position without a row
ElementwiseReport audit_values(const ExactTensor& tensor, std::span<const std::int64_t> positions);

}  // namespace vernier
