#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "numerics/errors/error_statistics.hpp"

namespace vernier {

/// From a least to a greatest index, both included.
struct ClosedRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;

  void include(const ClosedRange& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
  bool contains(const ClosedRange& other) const { return least <= other.least && other.greatest <= greatest; }
};

/// The smallest box that holds all failing elements of a table.
struct FailingExtent {
  static constexpr std::int64_t no_pair = -1;  ///< the pair of an element that is zero by definition

  ClosedRange positions;
  ClosedRange columns;
  ClosedRange pairs;  ///< from `no_pair` if some element belongs to none

  /// The box of one element.
  static FailingExtent of(const Place& place, std::optional<int> pair) {
    const auto column = static_cast<std::int64_t>(place.column);
    const std::int64_t which = pair ? std::int64_t{*pair} : no_pair;
    return {{place.position, place.position}, {column, column}, {which, which}};
  }

  void include(const FailingExtent& other) {
    positions.include(other.positions);
    columns.include(other.columns);
    pairs.include(other.pairs);
  }
};

/// Enlarges a box, which may be empty yet, by another.
inline void include(std::optional<FailingExtent>& extent, const std::optional<FailingExtent>& other) {
  if (extent && other) {
    extent->include(*other);
  } else if (other) {
    extent = other;
  }
}

}  // namespace vernier
