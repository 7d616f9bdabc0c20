#include "numerics/screens/selected_entries.hpp"

namespace vernier {

SelectedEntries::SelectedEntries(std::vector<std::size_t> entries) : entries_(std::move(entries)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    side_by_side_ = side_by_side_ && entries_[i] == entries_.front() + i;
  }
}

std::span<const double> SelectedEntries::of(std::span<const double> row, std::vector<double>& room) const {
  if (side_by_side_) {
    return entries_.empty() ? row.first(0) : row.subspan(entries_.front(), entries_.size());
  }
  room.resize(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    room[i] = row[entries_[i]];
  }
  return room;
}

}  // namespace vernier
