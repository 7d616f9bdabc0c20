#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "numerics/identification/frequency_window.hpp"
#include "numerics/views/plain_views.hpp"
#include "numerics/views/table_views.hpp"
#include "numerics/views/vector_views.hpp"
#include "numerics/views/view_audit.hpp"

namespace vernier {

/// What an audit finds of vectors: of their elements, their norms, and the scales of blocks.
struct VectorFindings : TensorFindings {
  NormFindings norms = {};
  ElementwiseReport scales = {};
};

inline RowView view_of(const RotatedTensor& tensor) {
  return view_of_vectors(tensor, {{.positions = tensor.positions, .by_axis = tensor.positions_by_axis}});
}

inline VectorFindings audit_rotated(const RotatedTensor& tensor, unsigned threads = 1) {
  const auto view = view_of(tensor);
  const auto findings = audited(view, threads);
  VectorFindings result{findings.parts.front(), findings.norms.value_or(NormFindings())};
  if (tensor.quantization.scales) {
    result.scales = audit_block_scales(view, threads);
  }
  return result;
}

/// \name What is found of the elements of one tensor
/// @{
inline ElementwiseReport audit_elements(const TableTensor& table, const SourceRows& rows) {
  return audited_elements(view_of_tables({table}, {rows}));
}
inline ElementwiseReport audit_elements(const ExactTensor& values, const SourceRows& rows) {
  return audited_elements(view_of_values(values, {rows}));
}
inline ElementwiseReport audit_elements(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  return audited_elements(view_of_biases(bias, keys));
}
inline ElementwiseReport audit_elements(const BucketTensor& buckets) {
  return audited_elements(view_of_buckets(buckets));
}
/// @}

/// What tables show of the frequencies of their pairs.
inline std::unique_ptr<DeviationRows> deviation_rows(std::span<const TableTensor> tables,
                                                     std::span<const std::int64_t> positions) {
  return deviation_rows(view_of_tables({tables.begin(), tables.end()}, {{.positions = positions}}));
}
/// The same of vectors.
inline std::unique_ptr<DeviationRows> deviation_rows(const RotatedTensor& tensor) {
  return deviation_rows(view_of(tensor));
}

}  // namespace vernier
