#pragma once

#include <cstdint>
#include <span>

#include "numerics/cases/tensor_of.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// Why a table of values fails its contract; nothing of one that keeps it. \param positions one a row, each
/// with a row of the table \param encoding that which the tensor is of
Diagnosis diagnose_values(const ExactTensor& tensor, std::span<const std::int64_t> positions,
                          const Encoding& encoding);

}  // namespace vernier
