#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "numerics/audit/audit_report.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/certified_table.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// A tensor that claims to hold rows of a table, and the contract it is held to.
struct TableTensor {
  TrigTable table;
  Tensor tensor;             ///< [rows, columns of the table], of a floating-point type
  const Contract* contract;  ///< never null

  const std::string& role() const { return table.role; }
  Format stored() const { return *tensor.format(); }
  std::size_t rows() const { return tensor.shape().front(); }
  std::size_t columns() const { return table.columns.size(); }
  double at(std::size_t row, std::size_t column) const { return tensor.number(row * columns() + column); }
  /// \param out columns() elements
  void row(std::size_t row, std::span<double> out) const { tensor.numbers(row * columns(), out); }
  std::span<const std::byte> row_bytes(std::size_t row) const;
  BudgetModel model() const { return contract->bind(table, stored()); }
};

/// Judges every element of `tensor` as rows of `table`, which need not be the declared one, under the same
/// contract. \param positions one a row
/// \param threads how many may work; the result does not depend on it
AuditReport audit_tensor(const TableTensor& tensor, const TrigTable& table,
                         std::span<const std::int64_t> positions, unsigned threads = 1);

/// A certified table that makes few seeds for just these positions, however they are spread.
CertifiedTable certified_table_for(const TrigTable& table, std::span<const std::int64_t> positions);

}  // namespace vernier
