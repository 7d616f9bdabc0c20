#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/cases/tensor_of.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// A tensor of rows of a table by several positions, of a floating-point type.
using TurnedTensor = TensorOf<TurnedTable>;

/// Judges every element: each by the budget of the position that it has along its axis.
/// \param by_axis the positions along each axis, one a row \param zero_rows which are zeros; empty: none
ElementwiseReport audit_multi_axis(const TurnedTensor& tensor,
                                   std::span<const std::vector<std::int64_t>> by_axis,
                                   const std::vector<bool>& zero_rows);

}  // namespace vernier
