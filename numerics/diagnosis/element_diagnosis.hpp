#pragma once

#include <cstdint>
#include <span>

#include "numerics/computation/finding.hpp"
#include "numerics/tensors/bias_tensor.hpp"
#include "numerics/tensors/bucket_tensor.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// \name Why a tensor that is not of sines and cosines fails its contract
/// Nothing of one that keeps it. \param encoding that which the tensor is of
/// @{
/// Of slopes or biases. \param keys their positions, as many as the tensor has; ignored for slopes
Diagnosis diagnose_bias(const BiasTensor& bias, std::span<const std::int64_t> keys, const Encoding& encoding);
/// Of frequencies of sines: that of the tables which follow from them exactly.
Diagnosis diagnose_frequencies(const BiasTensor& frequencies, const Encoding& encoding, unsigned threads);
Diagnosis diagnose_buckets(const BucketTensor& buckets, const Encoding& encoding);
/// Of a table of values. \param positions one a row, each with a row of the table
Diagnosis diagnose_values(const ExactTensor& tensor, std::span<const std::int64_t> positions,
                          const Encoding& encoding);
/// @}

/// Whether frequencies that fail are those of another contract that computes as precisely: honest ones, by
/// other operations.
bool keep_another_contract(const BiasTensor& frequencies);

}  // namespace vernier
