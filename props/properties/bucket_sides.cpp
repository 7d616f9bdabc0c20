#include <map>

#include "props/properties/bucket_view.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

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

Property bucket_sides_property() {
  return {.id = "bucket-sides",
          .name = "Keys ahead and keys behind share no bucket",
          .statement = "bucket(r) != bucket(-s) for all r, s > 0",
          .hypotheses = "rules that tell left from right: all but those of the distance alone",
          .citation =
              "Raffel et al. 2020, section 2.1 and mesh_tensorflow's bidirectional buckets; Shaw et "
              "al. 2018, section 3.2",
          .counterexample = "a token ahead that looks like one behind: the sign of the offset is lost",
          .buckets = judge_bucket_sides};
}

}  // namespace vernier
