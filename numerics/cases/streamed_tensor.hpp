#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/elementwise_report.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/streamed_table.hpp"

namespace vernier {

/// A tensor that claims to hold rows of a table by several positions, and the contract it is held to.
struct StreamedTensor {
  StreamedTable table;
  Tensor tensor;             ///< [rows, columns of the table], of a floating-point type
  const Contract* contract;  ///< never null, one that says something of sines

  const std::string& role() const { return table.table.role; }
  Format stored() const { return *tensor.format(); }
  std::size_t rows() const { return tensor.shape().front(); }
  std::size_t columns() const { return table.streams.size(); }
};

/// Judges every element: each by the budget of the position that its stream has. \param streams the positions
/// of each stream, one a row
ElementwiseReport audit_streamed(const StreamedTensor& tensor,
                                 std::span<const std::vector<std::int64_t>> streams);

}  // namespace vernier
