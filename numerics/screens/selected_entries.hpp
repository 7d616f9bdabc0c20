#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace vernier {

/// Some entries of a row.
class SelectedEntries {
 public:
  explicit SelectedEntries(std::vector<std::size_t> entries) : entries_(std::move(entries)) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      side_by_side_ = side_by_side_ && entries_[i] == entries_.front() + i;
    }
  }

  std::size_t size() const { return entries_.size(); }
  /// Those entries: in the row itself where they stand there side by side, else copied to `room`.
  std::span<const double> of(std::span<const double> row, std::vector<double>& room) const {
    if (side_by_side_) {
      return entries_.empty() ? row.first(0) : row.subspan(entries_.front(), entries_.size());
    }
    room.resize(entries_.size());
    std::ranges::transform(entries_, room.begin(), [&](std::size_t entry) { return row[entry]; });
    return room;
  }

 private:
  std::vector<std::size_t> entries_;
  bool side_by_side_ = true;
};

}  // namespace vernier
