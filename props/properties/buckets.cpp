#include <algorithm>
#include <map>

#include "props/judging/property.hpp"
#include "props/properties/bucket_view.hpp"

namespace vernier {
namespace {

/// Whether the buckets turn back: up and down, or down and up.
void judge_bucket_order(const BucketView& view, PropertyTally& tally) {
  for (const auto& side : view.sides()) {
    bool has_risen = false;
    bool has_fallen = false;
    for (std::size_t i = 1; i < side.size(); ++i) {
      has_risen |= side[i].bucket > side[i - 1].bucket;
      has_fallen |= side[i].bucket < side[i - 1].bucket;
      tally.must_hold(!has_risen || !has_fallen, [&] { return place_of(side[i], side[i - 1]); });
    }
  }
}

std::int64_t distance_of(const BucketView::Entry& entry) {
  return entry.relative < 0 ? -entry.relative : entry.relative;
}

void judge_last_bucket(const BucketView& view, PropertyTally& tally) {
  const auto sides = view.sides();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (!view.saturation[s]) {
      continue;
    }
    const auto first = std::ranges::lower_bound(sides[s], *view.saturation[s], {}, distance_of);
    for (auto entry = first; entry != sides[s].end(); ++entry) {
      if (entry != first) {
        tally.must_hold(entry->bucket == first->bucket, [&] { return place_of(*entry, *first); });
      }
    }
  }
}

void judge_mirrored_buckets(const BucketView& view, PropertyTally& tally) {
  const auto at = [&](std::int64_t relative) -> const BucketView::Entry* {
    const auto found = std::ranges::lower_bound(view.entries, relative, {}, &BucketView::Entry::relative);
    return found == view.entries.end() || found->relative != relative ? nullptr : &*found;
  };
  const auto* middle = at(0);
  for (const auto& entry : view.entries) {
    const auto* mirrored = entry.relative > 0 ? at(-entry.relative) : nullptr;
    if (middle != nullptr && mirrored != nullptr) {
      // Buckets of any magnitude: what an implementation answers may be any integer.
      const auto above = static_cast<long double>(entry.bucket) - static_cast<long double>(middle->bucket);
      const auto below =
          static_cast<long double>(middle->bucket) - static_cast<long double>(mirrored->bucket);
      tally.must_hold(above == below, [&] { return place_of(entry, *mirrored); });
    }
  }
}

void judge_bucket_sides(const BucketView& view, PropertyTally& tally) {
  const auto [below, above] = view.sides();
  std::map<std::int64_t, BucketView::Entry> first_below;
  for (const auto& entry : below) {
    first_below.try_emplace(entry.bucket, entry);
  }
  for (const auto& entry : above) {
    if (!below.empty()) {
      const auto found = first_below.find(entry.bucket);
      tally.must_hold(found == first_below.end(), [&] { return place_of(entry, found->second); });
    }
  }
}

}  // namespace

std::vector<Property> bucket_properties() {
  return {{.id = "bucket-order", .buckets = judge_bucket_order},
          {.id = "bucket-saturation", .buckets = judge_last_bucket},
          {.id = "bucket-antisymmetry", .buckets = judge_mirrored_buckets},
          {.id = "bucket-sides", .buckets = judge_bucket_sides}};
}

}  // namespace vernier
