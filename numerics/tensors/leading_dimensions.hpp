#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// \file
/// Tensors of rows, [..., T, W], whose leading dimensions (batch, heads) are judged as so many copies of T
/// rows, one after another.

/// The leading dimensions of a tensor of rows, those of size 1 in front of all others left out.
/// \param tensor of two dimensions or more
Shape leading_dimensions(const Tensor& tensor);

/// The tensor as all rows of all copies, [rows, W]: the same bytes. \param tensor of two dimensions or more
Tensor as_rows(const Tensor& tensor);

/// The copy that is the `index`-th in the order of the rows, as an index of each leading dimension: {1, 3}.
/// \param index less than the product of the sizes
std::vector<std::size_t> leading_index(const Shape& leading, std::size_t index);

/// The position of every row of all copies. Positions [..., T] have the leading dimensions of the rows, or
/// the first ones of them (positions [batch, T] of rows [batch, heads, T]), or 1 in place of any.
/// \param shape of the positions, T its last \param leading of the rows \param rows T of the rows
/// \return nothing if the shapes do not fit
std::optional<std::vector<std::int64_t>> positions_of_rows(std::span<const std::int64_t> positions,
                                                           const Shape& shape, const Shape& leading,
                                                           std::size_t rows);

}  // namespace vernier
