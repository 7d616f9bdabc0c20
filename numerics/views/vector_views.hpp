#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/errors/elementwise_report.hpp"
#include "numerics/tensors/rotated_tensor.hpp"
#include "numerics/views/row_view.hpp"
#include "numerics/views/view_audit.hpp"

namespace vernier {

/// Vectors that were rotated, beside what they were before. \param tensor outlives the view; its numbers are
/// read when the view goes to a row \param rows those of the tensor
RowView view_of_vectors(const RotatedTensor& tensor, const PlacedRows& rows);

/// Judges the scales of rows or blocks by the greatest of the values that they belong to, indexed row by row,
/// block by block. \pre the view has such scales
ElementwiseReport audit_block_scales(const RowView& view, unsigned threads);

/// Judges rows that are spread over the view as arithmetic in the format of the contract and one rounding
/// (narrow_arithmetic.hpp); nothing judged of what is no turned vectors, and where the contract says nothing
/// of that.
ElementwiseReport audit_one_rounding(const RowView& view);

/// Judges vectors one at a time, and keeps what it found out of the positions that come again.
class VectorJudge {
 public:
  /// \param like what the vectors are of: rotation, contract, types
  explicit VectorJudge(const RotatedTensor& like)
      : tensor_{like.rotation, like.input, like.rotated, like.contract, {0}, {}, {}, like.quantization},
        view_(view_of_vectors(tensor_, {{.positions = tensor_.positions}})) {}
  VectorJudge(const VectorJudge&) = delete;
  VectorJudge& operator=(const VectorJudge&) = delete;

  /// What is wrong with one vector. \param position its place \param input, rotated its bytes, in the types
  /// of the tensors
  ViewFindings judge(std::int64_t position, std::span<const std::byte> input,
                     std::span<const std::byte> rotated);
  /// Which pairs of the vector judged last are beyond their budgets.
  std::vector<bool> failing_pairs();

 private:
  RotatedTensor tensor_;
  RowView view_;  ///< of the tensor, whose position and numbers are replaced
};

}  // namespace vernier
