#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// Head vectors and what an implementation made of them, and the contract that is held to.
struct RotatedTensor {
  HeadRotation rotation;
  Tensor input;              ///< [rows, head_dim], of a floating-point type, all finite
  Tensor rotated;            ///< the same shape, of a floating-point type
  const Contract* contract;  ///< never null, one that says something of sines
  /// One a row; of rows with several positions the number of the patch, or that along the first axis.
  std::vector<std::int64_t> positions;
  Shape leading;  ///< what the rows are copies of: batch, heads
  /// The positions along each axis, one a row, if the rotation has axes.
  std::vector<std::vector<std::int64_t>> positions_by_axis = {};
  /// How results of the rotation are stored; its factor is in the amplitude of the rotation, its scales of
  /// blocks are in the numbers of `rotated`.
  Quantization quantization = {};

  /// The sines and cosines that turn the vectors.
  const TrigTable* bound_sines() const { return &rotation.table; }
  /// What the contract allows to them.
  BudgetModel model() const { return budgets_of(*contract, rotation, stored()); }
  std::string role() const { return std::string(role_of(rotation)); }
  Format stored() const { return quantization.stored_in(*rotated.format()); }
  std::size_t rows() const { return rotated.shape().front(); }
  std::size_t head_dim() const { return rotated.shape().back(); }
};

}  // namespace vernier
