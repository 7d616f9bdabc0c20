#pragma once

#include <vector>

#include "numerics/tensors/table_tensor.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// Tables of sines and cosines that have rows in common: of one position, of several, or with a scale.
struct ViewedTable {
  TurnedTable table;
  Tensor tensor;  ///< of any shape with a row of the table's columns for each row
  const Contract* contract;
  Overflow overflow = Overflow::undeclared;

  Format stored() const { return *tensor.format(); }
  std::size_t columns() const { return table.sines.columns.size(); }
  /// Whether some sines may be beyond the greatest number of the format, and what they become is declared.
  bool may_overflow() const;
  /// Whether an element is what becomes of numbers beyond the format, or may be.
  bool has_overflown(double element) const;
};

/// \param tables of the same rows
RowView view_of_tables(const std::vector<ViewedTable>& tables, const PlacedRows& rows);

}  // namespace vernier
