#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/bias_table.hpp"

namespace vernier {

/// A tensor that claims to hold the biases of a table, and the contract it is held to.
struct BiasTensor {
  BiasTable table;
  Tensor tensor;             ///< [heads], [heads, keys] or [heads, queries, keys], of a floating-point type
  const Contract* contract;  ///< never null, with a budget for biases

  Format stored() const { return *tensor.format(); }
  std::size_t queries() const { return tensor.shape().size() == 3 ? tensor.shape()[1] : 1; }
  std::size_t keys() const { return tensor.shape().size() == 1 ? 1 : tensor.shape().back(); }
};

/// Checks a tensor's shape and type against the table. \param source what to call it in errors \throws
/// InputError
void check_fit(const BiasTable& table, const Tensor& tensor, const std::string& source);

/// Judges every element. \param keys the positions of the keys, as many as the tensor has; ignored for slopes
ElementwiseReport audit_bias(const BiasTensor& bias, std::span<const std::int64_t> keys);

}  // namespace vernier
