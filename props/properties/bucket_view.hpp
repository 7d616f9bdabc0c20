#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/views/case_views.hpp"
#include "props/judging/property_tally.hpp"
#include "reference/tables/buckets.hpp"

namespace vernier {

/// What properties see of buckets.
struct BucketView {
  struct Entry {
    std::int64_t relative = 0;  ///< position
    std::int64_t bucket = 0;
  };

  /// By ascending relative position: all, or so many that a tensor of any size takes a moment. One that lies
  /// on an edge of a logarithmic scale is left out where either bucket is right.
  std::vector<Entry> entries;
  /// Of relative positions below and above zero: the distance from which the scheme's rule has one bucket for
  /// all; nothing where distances never share their last bucket.
  std::array<std::optional<std::int64_t>, 2> saturation = {};

  /// Those below zero, by ascending distance; those above.
  std::array<std::vector<Entry>, 2> sides() const;
};

/// Where two buckets are, and which.
PropertyTally::Place place_of(const BucketView::Entry& entry, const BucketView::Entry& other);

/// What the scheme's own rule makes of the relative positions of a tensor.
BucketView reference_view(const CaseView& buckets, const BucketRule& rule);
/// What an implementation made of them.
BucketView view_of(const CaseView& buckets, const BucketRule& rule);

}  // namespace vernier
