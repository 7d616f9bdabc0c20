#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/elements/element_source.hpp"
#include "numerics/elements/mixed_budget.hpp"
#include "reference/ladder/certified_scale.hpp"
#include "reference/ladder/certified_table.hpp"

namespace vernier {

/// What a rotation multiplies by, as a table: the cosine of every pair, a column each.
TurnedTable turns_of(const HeadRotation& rotation);

/// One row of a turned table, certified, column by column: each has the position along its axis, and the
/// scale of that position.
class TurnedRow {
 public:
  /// \param rows what it refers to outlives this
  TurnedRow(const TurnedTable& table, const SourceRows& rows);

  void go_to(std::size_t row);

  /// Whether all of it is zero by definition.
  bool is_zero() const { return is_zero_; }
  /// Where columns turn by all axes, that along the first.
  std::int64_t place(std::size_t column) const { return places_[column]; }
  /// The places of the row, one an axis.
  const std::vector<std::int64_t>& places() const { return of_axes_; }
  /// Times the amplitude, and not the scale.
  const Enclosure& value(std::size_t column) const { return value_[column]; }
  /// The other component of the column's pair.
  const Enclosure& partner(std::size_t column) const { return partner_[column]; }
  /// One where nothing is scaled; nothing where it is too large or too small to be enclosed.
  const std::optional<Enclosure>& scale(std::size_t column) const { return scales_[column]; }
  /// Whether it is larger than 1. \pre the table has a scale
  bool is_growth(std::size_t column) const { return scale_->is_growth(places_[column], pair(column)); }
  int pair(std::size_t column) const { return columns_[column].pair; }

 private:
  /// Turns a column on by the position along an axis, where it turns by all.
  void turn_on(std::size_t column);

  std::vector<Column> columns_;
  std::vector<int> axes_;  ///< of columns; empty where each turns by all
  std::vector<std::span<const std::int64_t>> by_axis_;
  std::vector<bool> zero_rows_;
  bool has_sines_;                      ///< else the scales are all
  std::vector<CertifiedTable> tables_;  ///< one an axis, all columns as if they turned by its position
  std::optional<CertifiedScale> scale_;
  bool is_zero_ = false;
  std::vector<std::int64_t> of_axes_;
  std::vector<std::int64_t> places_;
  std::vector<Enclosure> value_;
  std::vector<Enclosure> partner_;
  std::vector<std::optional<Enclosure>> scales_;
  std::vector<Enclosure> value_of_axis_;
  std::vector<Enclosure> partner_of_axis_;
};

}  // namespace vernier
