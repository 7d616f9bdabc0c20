#pragma once

#include <cstdint>
#include <span>

#include "numerics/tensors/bias_tensor.hpp"
#include "numerics/tensors/bucket_tensor.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// \name Views of tensors whose elements are no points
/// What the arguments are, or refer to, outlives the view.
/// @{
RowView view_of_values(const ExactTensor& values, const PlacedRows& rows);
/// Slopes, frequencies and biases. \param keys their positions; ignored but for biases
RowView view_of_biases(const BiasTensor& bias, std::span<const std::int64_t> keys);
RowView view_of_buckets(const BucketTensor& buckets);
/// @}

/// Elements of any type as numbers, for TensorPart::read. \param columns of a row
std::function<void(std::size_t row, std::span<double> out)> numbers_of_rows(const Tensor& tensor);

}  // namespace vernier
