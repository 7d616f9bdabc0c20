#pragma once

#include <vector>

#include "numerics/tensors/table_tensor.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// A view of tables of sines and cosines that have rows in common, all plain, by several positions or scaled.
/// \param tables of the same rows
RowView view_of_tables(const std::vector<TableTensor>& tables, const PlacedRows& rows);

}  // namespace vernier
