#include <algorithm>
#include <limits>
#include <map>

#include "numerics/cases/bucket_tensor.hpp"
#include "props/properties/property.hpp"
#include "reference/trig_table.hpp"

namespace vernier {
namespace {

using Entry = BucketView::Entry;

PropertyTally::Place place_of(const Entry& entry, const Entry& other) {
  return {{"relative position", std::to_string(entry.relative)},
          {"bucket", std::to_string(entry.bucket)},
          {"other relative position", std::to_string(other.relative)},
          {"its bucket", std::to_string(other.bucket)}};
}

std::int64_t distance(const Entry& entry) {
  return entry.relative < 0 ? -entry.relative : entry.relative;
}

void judge_same(const BucketView& view, PropertyTally& tally) {
  for (std::size_t i = 1; i < view.entries.size(); ++i) {
    const auto& a = view.entries[i - 1];
    const auto& b = view.entries[i];
    if (a.relative == b.relative) {
      tally.must_hold(a.bucket == b.bucket, [&] { return place_of(b, a); });
    }
  }
}

/// Whether the buckets turn back: up and down, or down and up.
void judge_order(const BucketView& view, PropertyTally& tally) {
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

void judge_saturation(const BucketView& view, PropertyTally& tally) {
  const auto sides = view.sides();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (!view.saturation[s]) {
      continue;
    }
    const auto first = std::ranges::lower_bound(sides[s], *view.saturation[s], {}, distance);
    for (auto entry = first; entry != sides[s].end(); ++entry) {
      if (entry != first) {
        tally.must_hold(entry->bucket == first->bucket, [&] { return place_of(*entry, *first); });
      }
    }
  }
}

void judge_antisymmetry(const BucketView& view, PropertyTally& tally) {
  const auto at = [&](std::int64_t relative) -> const Entry* {
    const auto found = std::ranges::lower_bound(view.entries, relative, {}, &Entry::relative);
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

void judge_sides(const BucketView& view, PropertyTally& tally) {
  const auto [below, above] = view.sides();
  std::map<std::int64_t, Entry> first_below;
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
BucketView view_by(const BucketTensor& buckets, const BucketAt& bucket_at) {
  constexpr std::size_t most_entries = std::size_t{1} << 18;
  BucketView view;
  const bool may_cross = buckets.contract->of_buckets == BucketTolerance::across_edge;
  for (const auto i : spread_indices(buckets.relative_positions.size(), most_entries)) {
    const auto relative = buckets.relative_positions[i];
    const auto truth = buckets.table.rule(relative);
    if (!may_cross || !truth.across) {
      view.entries.push_back({relative, bucket_at(i, truth)});
    }
  }
  std::ranges::stable_sort(view.entries, {}, &Entry::relative);
  view.saturation = {saturation_of(buckets.table.rule, -1), saturation_of(buckets.table.rule, 1)};
  return view;
}

}  // namespace

std::array<std::vector<Entry>, 2> BucketView::sides() const {
  std::array<std::vector<Entry>, 2> result;
  for (const auto& entry : entries) {
    if (entry.relative != 0) {
      result[entry.relative > 0 ? 1 : 0].push_back(entry);
    }
  }
  std::ranges::reverse(result[0]);
  return result;
}

BucketView reference_view(const BucketTensor& buckets) {
  return view_by(buckets, [](std::size_t, const Bucket& truth) { return truth.index; });
}

BucketView view_of(const BucketTensor& buckets) {
  return view_by(buckets, [&](std::size_t i, const Bucket&) { return buckets.buckets[i]; });
}

Property same_bucket_property() {
  return {.id = "same-bucket",
          .name = "The bucket depends on the offset only",
          .statement = "bucket(q, k) = bucket(q + s, k + s)",
          .hypotheses = "every rule of buckets; relative positions that are asked for more than once",
          .citation = "Shaw et al. 2018, section 3.2; Raffel et al. 2020, section 2.1",
          .counterexample =
              "two tokens as far apart as two others that have another bucket: attention "
              "depends on where the text starts",
          .judge = judge_same};
}

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
          .judge = judge_order};
}

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
          .judge = judge_saturation};
}

Property bucket_antisymmetry_property() {
  return {.id = "bucket-antisymmetry",
          .name = "Mirrored offsets have mirrored buckets",
          .statement = "bucket(r) - bucket(0) = bucket(0) - bucket(-r)",
          .hypotheses = "rules of clip(r) or sign(r) f(|r|): Shaw, both DeBERTas",
          .citation = "He et al. 2021, section 3.1; Shaw et al. 2018, section 3.2",
          .counterexample =
              "an offset whose mirror image is in a bucket of another distance: a logarithm "
              "rounded up on one side and down on the other, a clip to [-K, K - 1]",
          .judge = judge_antisymmetry};
}

Property bucket_sides_property() {
  return {.id = "bucket-sides",
          .name = "Keys ahead and keys behind share no bucket",
          .statement = "bucket(r) != bucket(-s) for all r, s > 0",
          .hypotheses = "rules that tell left from right: all but those of the distance alone",
          .citation =
              "Raffel et al. 2020, section 2.1 and mesh_tensorflow's bidirectional buckets; Shaw et "
              "al. 2018, section 3.2",
          .counterexample = "a token ahead that looks like one behind: the sign of the offset is lost",
          .judge = judge_sides};
}

}  // namespace vernier
