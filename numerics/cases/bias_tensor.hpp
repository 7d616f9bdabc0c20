#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "numerics/cases/tensor_of.hpp"
#include "numerics/errors/elementwise_report.hpp"

namespace vernier {

/// A tensor of slopes or biases of a floating-point type: [heads], [heads, keys] or [heads, queries, keys].
struct BiasTensor : TensorOf<BiasTable> {
  std::size_t queries() const { return tensor.shape().size() == 3 ? tensor.shape()[1] : 1; }
  std::size_t keys() const { return tensor.shape().size() == 1 ? 1 : tensor.shape().back(); }
};

/// What a bias is, certified, and what the contract allows it to be off by.
struct AllowedBias {
  Enclosure truth;
  BiasBudget budget;
};
/// Those of one head, by what multiplies its slope; a function that remembers them, for one thread.
std::function<AllowedBias(std::int64_t multiplier)> allowed_biases(const BiasTensor& bias, std::size_t head);

/// Checks a tensor's shape and type against the table. \param source what to call it in errors \throws
/// InputError
void check_fit(const BiasTable& table, const Tensor& tensor, const std::string& source);

/// Judges every element. \param keys the positions of the keys, as many as the tensor has; ignored for slopes
ElementwiseReport audit_bias(const BiasTensor& bias, std::span<const std::int64_t> keys);

}  // namespace vernier
