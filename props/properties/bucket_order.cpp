#include "props/properties/bucket_view.hpp"
#include "props/properties/property.hpp"

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

}  // namespace

Property bucket_order_property() {
  return {.id = "bucket-order",
          .name = "Buckets keep the order of distances",
          .statement = "on either side of the query, bucket(d) never turns back as the distance d grows",
          .hypotheses = "rules that are monotone on each side: clipped and logarithmic ones",
          .citation =
              "Shaw et al. 2018, section 3.2; Raffel et al. 2020, section 2.1; He et al. 2021, "
              "section 3.1",
          .counterexample =
              "a distance whose bucket is that of a nearer or a farther one: indices that "
              "wrap, or a logarithm that restarts",
          .buckets = judge_bucket_order};
}

}  // namespace vernier
