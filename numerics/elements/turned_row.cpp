#include "numerics/elements/turned_row.hpp"

#include <cassert>

#include "reference/ladder/certified_table.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

TurnedTable turns_of(const HeadRotation& rotation) {
  TurnedTable result(rotation.table);
  if (!rotation.axes.empty()) {
    result.axes = {rotation.axes, {rotation.maps.size(), {}, rotation.maps}};
  }
  result.scale = rotation.scale;
  return result;
}

TurnedRow::TurnedRow(const TurnedTable& table, const SourceRows& rows)
    : columns_(table.sines.columns),
      has_sines_(!table.is_scale_alone),
      places_(columns_.size()),
      value_(columns_.size()),
      partner_(columns_.size()),
      scales_(columns_.size(), Enclosure{{1, 0}, 0}),
      value_of_axis_(columns_.size()),
      partner_of_axis_(columns_.size()) {
  if (table.axes) {
    by_axis_.assign(rows.by_axis.begin(), rows.by_axis.end());
    zero_rows_ = rows.zero_rows;
  } else {
    by_axis_.push_back(rows.positions);
  }
  of_axes_.resize(by_axis_.size());
  if (table.scale) {
    scale_.emplace(*table.scale);
  }
  if (mixes_axes(table)) {
    assert(!table.scale);
    mixed_.emplace(table.sines, table.axes->positions.maps, rows.by_axis);
    return;
  }
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    axes_.push_back(table.axis(column));
  }
  for (std::size_t axis = 0; has_sines_ && axis < by_axis_.size(); ++axis) {
    tables_.push_back(certified_table_for(table.of_axis(axis), by_axis_[axis]));
  }
}

void TurnedRow::go_to(std::size_t row) {
  for (std::size_t axis = 0; axis < by_axis_.size(); ++axis) {
    of_axes_[axis] = by_axis_[axis][row];
  }
  is_zero_ = !zero_rows_.empty() && zero_rows_[row];
  if (!mixed_) {
    go_along_axes();
    return;
  }
  mixed_->go_to(row);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    places_[column] = of_axes_.front();
    const auto& sine = mixed_->sine(pair(column));
    const auto& cosine = mixed_->cosine(pair(column));
    const bool is_sine = columns_[column].component == Component::sine;
    value_[column] = is_sine ? sine : cosine;
    partner_[column] = is_sine ? cosine : sine;
  }
}

void TurnedRow::go_along_axes() {
  for (std::size_t axis = 0; axis < by_axis_.size(); ++axis) {
    if (has_sines_) {
      tables_[axis].row(of_axes_[axis], value_of_axis_, partner_of_axis_);
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (static_cast<std::size_t>(axes_[column]) == axis) {
        places_[column] = of_axes_[axis];
        value_[column] = value_of_axis_[column];
        partner_[column] = partner_of_axis_[column];
      }
    }
  }
  for (std::size_t column = 0; scale_ && column < columns_.size(); ++column) {
    scales_[column] = scale_->at(places_[column], pair(column));
  }
}

}  // namespace vernier
