#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vernier {

/// Some entries of a row.
class SelectedEntries {
 public:
  explicit SelectedEntries(std::vector<std::size_t> entries);

  std::size_t size() const { return entries_.size(); }
  /// Those entries: in the row itself where they stand there side by side, else copied to `room`.
  std::span<const double> of(std::span<const double> row, std::vector<double>& room) const;

 private:
  std::vector<std::size_t> entries_;
  bool side_by_side_ = true;
};

}  // namespace vernier
