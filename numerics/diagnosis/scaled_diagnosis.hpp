#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/cases/scaled_tensor.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// \name Why tensors whose pairs are scaled by the position (xPos) fail; nothing of those that keep their
/// contract
/// @{
/// Of tables, all of one case together. \param positions one a row \param encoding that which they are of
Diagnosis diagnose_scaled_tables(std::span<const ScaledTensor> tables,
                                 std::span<const std::int64_t> positions, const Encoding& encoding);
/// Of rotated vectors. \pre their rotation has a scale
Diagnosis diagnose_scaled_vectors(const RotatedTensor& vectors, const Encoding& encoding, unsigned threads);
/// @}

}  // namespace vernier
