#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/scaled_table.hpp"

namespace vernier {

/// A tensor that claims to hold rows of a scaled table, and the contract it is held to.
struct ScaledTensor {
  ScaledTable table;
  Tensor tensor;             ///< [rows, columns of the table], of a floating-point type
  const Contract* contract;  ///< never null, one that says something of sines

  const std::string& role() const { return table.sines.role; }
  Format stored() const { return *tensor.format(); }
  std::size_t rows() const { return tensor.shape().front(); }
  std::size_t columns() const { return table.sines.columns.size(); }
};

/// Judges every element, by scaled_budget() (scale_budget.hpp); of scales alone, by what these may be off by
/// and the rounding to the format that stores them. An element proves nothing where its budget exceeds a
/// quarter of the scale times the amplitude, and where the scale is beyond 2^+-400 or may be beyond the
/// greatest number of the format. \param positions one a row
ElementwiseReport audit_scaled(const ScaledTensor& tensor, std::span<const std::int64_t> positions);

}  // namespace vernier
