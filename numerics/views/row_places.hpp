#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "numerics/elements/element_source.hpp"
#include "numerics/formats/tensor.hpp"

namespace vernier {

/// Names and values that tell where something is: {"row", "12"}.
using Described = std::vector<std::pair<std::string, std::string>>;

/// Where a row of a tensor of several copies is.
struct RowPlace {
  std::vector<std::size_t> leading_index;  ///< of the copy: batch, head; empty where there is only one
  std::size_t row = 0;                     ///< in that copy
};

/// \param leading the sizes of the leading dimensions \param rows of all copies \param row among them
RowPlace row_place(const Shape& leading, std::size_t rows, std::size_t row);

/// "12", or "12 of [1, 3]".
std::string to_string(const RowPlace& place);

/// {"row", "12"}, and {"leading index", "[1, 3]"} where there is one.
Described described(const RowPlace& place);

/// {"turns by", "the position along axis 1"}. \param axis of a pair, or `all_axes`
Described::value_type turning_axis(int axis);

/// Where the rows of a view stand: what they are copies of, and at which positions.
struct PlacedRows {
  SourceRows source = {};  ///< their places (position_map.hpp); what it refers to outlives the view
  Shape leading = {};      ///< batch, heads: the rows of all copies, one after another
  /// A place along an axis, as the position that was given: "7", "0.5".
  std::function<std::string(std::size_t axis, std::int64_t place)> text = nullptr;

  /// How many rows there are, of all copies.
  std::size_t count() const {
    return source.by_axis.empty() ? source.positions.size() : source.by_axis.front().size();
  }
  /// Whether two rows have the same places.
  bool stand_together(std::size_t row, std::size_t other) const;
  /// "7", or one for each axis: "4, 4, 5".
  std::string position_text(std::size_t row) const;
  /// The same along one axis; along all of them where they count together. \param axis or all_axes
  std::string text_along(int axis, std::size_t row) const;
  /// Tells the row, and its position or positions.
  Described describe(std::size_t row) const;
};

}  // namespace vernier
