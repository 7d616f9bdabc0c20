#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/cases/tensor_of.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// A tensor of rows of a scaled table, of a floating-point type.
using TurnedTensor = TensorOf<TurnedTable>;

/// Judges every element, by scaled_budget() (scale_budget.hpp); of scales alone, by what these may be off by
/// and the rounding to the format that stores them. An element proves nothing where its budget exceeds a
/// quarter of the scale times the amplitude, and where the scale is beyond 2^+-400 or may be beyond the
/// greatest number of the format. \param positions one a row
ElementwiseReport audit_scaled(const TurnedTensor& tensor, std::span<const std::int64_t> positions);

}  // namespace vernier
