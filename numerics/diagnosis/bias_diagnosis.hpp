#pragma once

#include <cstdint>
#include <span>

#include "numerics/cases/bias_tensor.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// Why slopes or biases fail their contract; nothing of those that keep it. \param keys the positions of the
/// keys, as many as the tensor has; ignored for slopes \param encoding that which the tensor is of
Diagnosis diagnose_bias(const BiasTensor& bias, std::span<const std::int64_t> keys, const Encoding& encoding);

}  // namespace vernier
