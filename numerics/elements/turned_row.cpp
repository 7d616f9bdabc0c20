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
  const bool is_mixed = mixes_axes(table);
  assert(!(is_mixed && table.scale));
  for (std::size_t column = 0; !is_mixed && column < columns_.size(); ++column) {
    axes_.push_back(table.axis(column));
  }
  for (std::size_t axis = 0; has_sines_ && axis < by_axis_.size(); ++axis) {
    const auto of_axis =
        is_mixed ? table_along(table.sines, axis, table.axes->positions.maps[axis]) : table.of_axis(axis);
    tables_.push_back(certified_table_for(of_axis, by_axis_[axis]));
  }
}

void TurnedRow::go_to(std::size_t row) {
  is_zero_ = !zero_rows_.empty() && zero_rows_[row];
  for (std::size_t axis = 0; axis < by_axis_.size(); ++axis) {
    of_axes_[axis] = by_axis_[axis][row];
    if (has_sines_) {
      tables_[axis].row(of_axes_[axis], value_of_axis_, partner_of_axis_);
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (axes_.empty() && axis > 0) {
        turn_on(column);
      } else if (axes_.empty() || static_cast<std::size_t>(axes_[column]) == axis) {
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

void TurnedRow::turn_on(std::size_t column) {
  const bool is_sine = columns_[column].component == Component::sine;
  auto& sine = is_sine ? value_[column] : partner_[column];
  auto& cosine = is_sine ? partner_[column] : value_[column];
  const auto& s = is_sine ? value_of_axis_[column] : partner_of_axis_[column];
  const auto& c = is_sine ? partner_of_axis_[column] : value_of_axis_[column];
  const auto turned = cosine * c + -(sine * s);
  sine = sine * c + cosine * s;
  cosine = turned;
}

}  // namespace vernier
