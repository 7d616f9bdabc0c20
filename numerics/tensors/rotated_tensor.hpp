#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/elements/quantization.hpp"
#include "numerics/elements/rotated_source.hpp"
#include "numerics/errors/elementwise_report.hpp"
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

  /// What the contract allows to the sines and cosines that turn the vectors.
  BudgetModel model() const { return budgets_of(*contract, rotation, stored()); }
  std::string role() const { return std::string(role_of(rotation)); }
  Format stored() const { return quantization.stored_in(*rotated.format()); }
  std::size_t rows() const { return rotated.shape().front(); }
  std::size_t head_dim() const { return rotated.shape().back(); }
};

/// Elements of a tensor that are counted, and where the first of them is.
struct CountedElements {
  std::uint64_t count = 0;
  std::optional<std::size_t> first = std::nullopt;  ///< its index in the tensor

  void add(std::size_t index);
  /// \param later of elements after these
  void merge(const CountedElements& later);
};

/// What an audit of rotated vectors found.
struct RotatedReport {
  /// The rotated dimensions, indexed as in the tensor.
  ElementwiseReport elements;
  /// The norms of the pairs, indexed row by row, pair by pair: the amplitude times those of the input.
  ElementwiseReport norms;
  /// The scales of rows or blocks, if a rule says what they are, indexed row by row, block by block.
  ElementwiseReport scales;
  std::uint64_t passed_through = 0;  ///< elements of dimensions that pass through
  CountedElements changed;           ///< those of them that are not the input's bits
  CountedElements non_finite;        ///< elements of any dimension that nothing justifies
  std::uint64_t may_overflow = 0;    ///< rotated elements whose products may leave the format
  std::optional<FailingExtent> failing_extent = std::nullopt;  ///< a box around the failing `elements`

  /// \param later of rows after those of this one
  void merge(const RotatedReport& later);
};

/// Judges every element, by RotatedSource (rotated_source.hpp).
///
/// Norms. An honest result is y = A R(f') x + e for some phase f', with each component of e within
/// component_budget(), and a rotation changes no length, so the norm is off by at most the square root of two
/// times that.
/// \param threads how many may work; the result does not depend on it
RotatedReport audit_rotated(const RotatedTensor& tensor, unsigned threads = 1);

/// Judges rows that are spread over the tensor as arithmetic in the format of the contract and one rounding
/// (narrow_arithmetic.hpp); nothing judged where the contract says nothing of that.
ElementwiseReport audit_one_rounding(const RotatedTensor& tensor);

/// Judges vectors one at a time, and keeps what it found out of the positions that come again.
class VectorJudge {
 public:
  /// \param like what the vectors are of: rotation, contract, types
  explicit VectorJudge(const RotatedTensor& like);
  ~VectorJudge();

  /// What is wrong with one vector. \param position its place \param input, rotated its bytes, in the types
  /// of the tensors
  RotatedReport judge(std::int64_t position, std::span<const std::byte> input,
                      std::span<const std::byte> rotated);
  /// Which pairs of the vector judged last are beyond their budgets.
  std::vector<bool> failing_pairs() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace vernier
