#include <algorithm>

#include "props/properties/bucket_view.hpp"
#include "props/properties/property.hpp"

namespace vernier {
namespace {

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

}  // namespace

Property bucket_antisymmetry_property() {
  return {.id = "bucket-antisymmetry",
          .name = "Mirrored offsets have mirrored buckets",
          .statement = "bucket(r) - bucket(0) = bucket(0) - bucket(-r)",
          .hypotheses = "rules of clip(r) or sign(r) f(|r|): Shaw, both DeBERTas",
          .citation = "He et al. 2021, section 3.1; Shaw et al. 2018, section 3.2",
          .counterexample =
              "an offset whose mirror image is in a bucket of another distance: a logarithm "
              "rounded up on one side and down on the other, a clip to [-K, K - 1]",
          .buckets = judge_mirrored_buckets};
}

}  // namespace vernier
