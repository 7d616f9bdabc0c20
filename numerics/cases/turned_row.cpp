#include "numerics/cases/turned_row.hpp"

#include <cassert>

#include "numerics/cases/table_tensor.hpp"

namespace vernier {

TurnedRow::TurnedRow(const HeadRotation& rotation, std::span<const std::int64_t> positions,
                     std::span<const std::vector<std::int64_t>> by_axis)
    : axes_of_pairs_(rotation.axes),
      by_axis_(by_axis.begin(), by_axis.end()),
      positions_of_pairs_(rotation.table.columns.size()),
      cosine_(rotation.table.columns.size()),
      sine_(cosine_.size()),
      scales_(cosine_.size(), Enclosure{{1, 0}, 0}),
      cosines_of_axis_(cosine_.size()),
      sines_of_axis_(cosine_.size()) {
  assert(rotation.axes.empty() == by_axis.empty());
  if (by_axis_.empty()) {
    by_axis_.push_back(positions);
    axes_of_pairs_.assign(cosine_.size(), 0);
  }
  if (mixes_axes(rotation)) {
    assert(!rotation.scale);
    mixed_.emplace(rotation.table, rotation.maps, by_axis);
    return;
  }
  for (const auto& positions_of_axis : by_axis_) {
    tables_.push_back(certified_table_for(rotation.table, positions_of_axis));
  }
  if (rotation.scale) {
    scale_.emplace(*rotation.scale);
  }
}

void TurnedRow::go_to(std::size_t row) {
  if (mixed_) {
    mixed_->go_to(row);
    for (std::size_t pair = 0; pair < cosine_.size(); ++pair) {
      positions_of_pairs_[pair] = mixed_->places().front();
      cosine_[pair] = mixed_->cosine(static_cast<int>(pair));
      sine_[pair] = mixed_->sine(static_cast<int>(pair));
    }
    return;
  }
  for (std::size_t axis = 0; axis < by_axis_.size(); ++axis) {
    const auto position = by_axis_[axis][row];
    tables_[axis].row(position, cosines_of_axis_, sines_of_axis_);
    for (std::size_t pair = 0; pair < cosine_.size(); ++pair) {
      if (static_cast<std::size_t>(axes_of_pairs_[pair]) == axis) {
        positions_of_pairs_[pair] = position;
        cosine_[pair] = cosines_of_axis_[pair];
        sine_[pair] = sines_of_axis_[pair];
      }
    }
  }
  for (std::size_t pair = 0; scale_ && pair < scales_.size(); ++pair) {
    scales_[pair] = scale_->at(positions_of_pairs_[pair], static_cast<int>(pair));
  }
}

}  // namespace vernier
