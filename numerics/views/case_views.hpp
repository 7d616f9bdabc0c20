#pragma once

#include <vector>

#include "numerics/tensors/case.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// A view of tensors of a case, and what is told of it.
struct CaseView {
  RowView view;
  PlacedRows rows;          ///< of indices, their relative positions; none of biases, which have keys
  bool is_of_keys = false;  ///< of keys that turn otherwise than the queries of the view before it

  /// Whether its columns are keys, which stand for rows.
  bool has_keys() const { return rows.count() == 0; }
};

/// The views of all tensors, which outlive them: the one place that knows the kinds of tensor. A new kind is
/// a function that makes its view, and a line in case_views.cpp. \param rows of the tables; of biases the
/// keys
std::vector<CaseView> views_of(const CaseTensors& tensors, const PlacedRows& rows);
/// Those of a case.
std::vector<CaseView> views_of(const Case& subject);

}  // namespace vernier
