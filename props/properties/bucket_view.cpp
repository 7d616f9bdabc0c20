#include "props/properties/bucket_view.hpp"

#include <algorithm>

#include "numerics/tensors/spread_indices.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {
namespace {

/// The distance from which a rule, which is monotone, has the bucket of the greatest distance there is.
std::optional<std::int64_t> saturation_of(const BucketRule& rule, std::int64_t sign) {
  const auto last = rule(sign * largest_position).index;
  std::int64_t before = 0;
  std::int64_t from = largest_position;
  while (from - before > 1) {
    const auto middle = before + (from - before) / 2;
    (rule(sign * middle).index == last ? from : before) = middle;
  }
  // The last bucket of a scale that goes on for ever is cut off by the greatest distance.
  return from > largest_position / 2 ? std::nullopt : std::optional(from);
}

template <class BucketAt>
BucketView view_by(const CaseView& buckets, const BucketRule& rule, const BucketAt& bucket_at) {
  constexpr std::size_t most_entries = std::size_t{1} << 18;
  BucketView view;
  const bool may_cross = buckets.view.parts().front().contract->of_buckets == BucketTolerance::across_edge;
  for (const auto i : spread_indices(buckets.rows.count(), most_entries)) {
    const auto relative = buckets.rows.source.positions[i];
    const auto truth = rule(relative);
    if (!may_cross || !truth.across) {
      view.entries.push_back({relative, bucket_at(i, truth)});
    }
  }
  std::ranges::stable_sort(view.entries, {}, &BucketView::Entry::relative);
  view.saturation = {saturation_of(rule, -1), saturation_of(rule, 1)};
  return view;
}

}  // namespace

PropertyTally::Place place_of(const BucketView::Entry& entry, const BucketView::Entry& other) {
  return {{"relative position", std::to_string(entry.relative)},
          {"bucket", std::to_string(entry.bucket)},
          {"other relative position", std::to_string(other.relative)},
          {"its bucket", std::to_string(other.bucket)}};
}

std::array<std::vector<BucketView::Entry>, 2> BucketView::sides() const {
  std::array<std::vector<Entry>, 2> result;
  for (const auto& entry : entries) {
    if (entry.relative != 0) {
      result[entry.relative > 0 ? 1 : 0].push_back(entry);
    }
  }
  std::ranges::reverse(result[0]);
  return result;
}

BucketView reference_view(const CaseView& buckets, const BucketRule& rule) {
  return view_by(buckets, rule, [](std::size_t, const Bucket& truth) { return truth.index; });
}

BucketView view_of(const CaseView& buckets, const BucketRule& rule) {
  return view_by(buckets, rule, [&](std::size_t i, const Bucket&) {
    double bucket = 0;
    buckets.view.parts().front().read(i, std::span(&bucket, 1));
    return static_cast<std::int64_t>(std::clamp(bucket, -0x1p62, 0x1p62));
  });
}

}  // namespace vernier
