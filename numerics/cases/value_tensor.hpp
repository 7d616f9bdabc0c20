#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/value_table.hpp"

namespace vernier {

/// A tensor that claims to hold rows of a table of values, and the contract it is held to.
struct ValueTensor {
  ValueTable table;
  Tensor tensor;             ///< [rows, columns of the table], of any type
  const Contract* contract;  ///< never null, one that judges the table

  const std::string& role() const { return table.role; }
  std::size_t rows() const { return tensor.shape().front(); }
  /// The format of the elements; of integers binary64, in which they are told.
  Format stored() const { return tensor.format().value_or(Format::binary64); }
};

/// Whether a contract says anything of such a table.
bool judges(const Contract& contract, const ValueTable& table);

/// Judges every element. \param positions one a row \throws InputError for a position without a row
ElementwiseReport audit_values(const ValueTensor& tensor, std::span<const std::int64_t> positions);

}  // namespace vernier
