#include <algorithm>

#include "props/properties/bucket_view.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

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

}  // namespace

Property bucket_saturation_property() {
  return {.id = "bucket-saturation",
          .name = "Far tokens share the last bucket",
          .statement =
              "bucket(d) = bucket(D) for all d >= D, on either side; D is the scheme's greatest "
              "distance that is told apart",
          .hypotheses = "rules that clip: Shaw, T5, DeBERTa with a clamp",
          .citation = "Shaw et al. 2018, section 3.2 (clip); Raffel et al. 2020, section 2.1",
          .counterexample =
              "a bucket beyond the last: the lookup reads behind the table, or another row of "
              "it",
          .buckets = judge_last_bucket};
}

}  // namespace vernier
