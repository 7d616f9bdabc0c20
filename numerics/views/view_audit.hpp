#pragma once

#include <optional>
#include <vector>

#include "numerics/views/norm_judge.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// What all rows of a view show: element by element, and point by point.
struct ViewFindings {
  std::vector<TensorFindings> parts;
  std::optional<NormFindings> norms = std::nullopt;  ///< of its points; nothing where it has none
};

/// Audits all rows of a view: each part by its fast form where it has one, all else in one walk.
/// \param threads how many may work; the result does not depend on it \param with_norms whether points are
/// judged
ViewFindings audited(const RowView& view, unsigned threads = 1, bool with_norms = true);

/// What is found of the elements of a view's first part, of all rows. \param threads how many may work
ElementwiseReport audited_elements(const RowView& view, unsigned threads = 1);

/// What the row shows that the view is at.
ViewFindings audited_row(RowView& view);

}  // namespace vernier
