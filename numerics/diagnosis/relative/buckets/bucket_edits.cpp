// What may be wrong with buckets, whatever the scheme: another spec, what goes into a rule, what is made of
// its results.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>

#include <fmt/core.h>

#include "numerics/computation/spec_changes.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/relative/edit_rows.hpp"

namespace vernier {
namespace {

using IntegerMap = std::function<std::int64_t(std::int64_t)>;

BucketEdit with_input(Finding finding, double bits, IntegerMap map) {
  return {std::move(finding), bits, bucket_order::input,
          [map = std::move(map)](BucketComputation& model) { model.input = map; }};
}

BucketEdit with_output(Finding finding, double bits, IntegerMap map) {
  return {std::move(finding), bits, bucket_order::output,
          [map = std::move(map)](BucketComputation& model) { model.output = map; }};
}

/// How the spec clips relative positions r, where it does nothing else to them: clip(r, -span, last - span) +
/// shift. And what the last index becomes where the end is taken for the other one.
NamedNumbers declared_clip(const BucketSubject& subject) {
  const bool is_shaw = subject.is("shaw");
  if (!is_shaw && !subject.is("deberta_span")) {
    return {{"clips", 0}};
  }
  if (is_shaw && subject.encoding.spec().contains("left")) {
    const auto left = static_cast<double>(subject.declared_integer("left"));
    const auto last = left + static_cast<double>(subject.declared_integer("right"));
    return {{"clips", 1}, {"span", left}, {"last", last}, {"other_last", last - 1}};
  }
  const auto span = static_cast<double>(
      subject.declared_integer(is_shaw ? "max_relative_position" : "max_relative_positions"));
  return {{"clips", 1},
          {"span", span},
          {"last", is_shaw ? 2 * span : 2 * span - 1},
          {"other_last", is_shaw ? 2 * span - 1 : 2 * span}};
}

BucketEdits listed_edits(const BucketSubject& subject) {
  BucketEdits edits;
  for (auto& row : edit_rows("buckets", declared_clip(subject))) {
    const auto map = [of = row.map("map")](std::int64_t x) {
      return static_cast<std::int64_t>(of(static_cast<double>(x)));
    };
    const auto of = row.sets.at("of").get<std::string>();
    edits.push_back(of == "relative positions" ? with_input(std::move(row.finding), row.bits, map)
                    : of == "buckets"          ? with_output(std::move(row.finding), row.bits, map)
                                               : with_rule(std::move(row.finding), row.bits,
                                                           [map](std::int64_t r) { return Bucket{map(r)}; }));
  }
  return edits;
}

void append_clamps(const BucketSubject& subject, BucketEdits& edits) {
  std::set<std::int64_t> limits;
  for (std::int64_t limit = 8; limit < subject.reach; limit *= 2) {
    limits.insert({limit - 1, limit});
  }
  // Where the buckets stop to change.
  const auto& observed = subject.observed;
  for (auto i = observed.size(); i > 1 && observed[i - 2].bucket != observed[i - 1].bucket; --i) {
    limits.insert(std::abs(observed[i - 1].relative_position));
  }
  for (const auto limit : limits) {
    edits.push_back(with_input({&fault_kind("position/relative-clamp"),
                                fmt::format("relative positions are held to {} either way", limit)},
                               listed_bits,
                               [limit](std::int64_t r) { return std::clamp(r, -limit, limit); }));
  }
}

void append_bucket_offsets(const BucketSubject& subject, BucketEdits& edits) {
  std::set<std::int64_t> offsets{1, -1};
  const auto& near = subject.nearest_to_zero();
  const auto model = subject.declared();
  offsets.insert(near.bucket - model(near.relative_position).index);
  offsets.insert(near.bucket - model(-near.relative_position).index);
  offsets.erase(0);
  for (const auto offset : offsets) {
    const auto by = std::abs(offset);
    edits.push_back(with_output({&fault_kind("mapping/bucket-offset"),
                                 fmt::format("buckets are {} by {}", offset > 0 ? "larger" : "smaller", by)},
                                by == 1 ? variant_bits : std::min(listed_bits + 1, integer_bits(by)),
                                [offset](std::int64_t bucket) { return bucket + offset; }));
  }
}

/// One bucket that is written as another.
void append_other_bucket(const BucketSubject& subject, BucketEdits& edits) {
  const auto declared = subject.declared();
  const auto failing = std::ranges::find_if(
      subject.observed, [&](const ObservedBucket& one) { return !subject.holds(declared, one); });
  if (failing != subject.observed.end()) {
    const auto meant = declared(failing->relative_position).index;
    edits.push_back(with_output(
        {&fault_kind("damage/bucket"), fmt::format("bucket {} is written as {}", meant, failing->bucket)},
        damaged_bits,
        [=, got = failing->bucket](std::int64_t bucket) { return bucket == meant ? got : bucket; }));
  }
}

/// Buckets of what is farther than the nearest that differs, if all of them differ by as much.
void append_far_buckets(const BucketSubject& subject, BucketEdits& edits) {
  const auto declared = subject.declared();
  const auto add = [&](std::string_view where, double bits, bool (*is_there)(std::int64_t)) {
    const ObservedBucket* nearest = nullptr;
    for (const auto& one : subject.observed) {
      const bool is_nearer =
          nearest == nullptr || std::abs(one.relative_position) < std::abs(nearest->relative_position);
      if (is_there(one.relative_position) && !subject.holds(declared, one) && is_nearer) {
        nearest = &one;
      }
    }
    if (nearest == nullptr || nearest->relative_position == 0) {
      return;
    }
    const auto least = std::abs(nearest->relative_position);
    const auto by = nearest->bucket - declared(nearest->relative_position).index;
    edits.push_back(
        with_rule({&fault_kind("bucket/far"),
                   fmt::format("relative positions {} of {} and more have buckets that are {} by {}", where,
                               least, by > 0 ? "larger" : "smaller", std::abs(by))},
                  bits + integer_bits(least) + (std::abs(by) == 1 ? 0 : integer_bits(by)),
                  [least, by, is_there, rule = declared.rule](std::int64_t r) {
                    auto bucket = rule(r);
                    if (is_there(r) && std::abs(r) >= least) {
                      bucket.index += by;
                      bucket.across = bucket.across ? std::optional(*bucket.across + by) : std::nullopt;
                    }
                    return bucket;
                  }));
  };
  add("by a distance", listed_bits, [](std::int64_t) { return true; });
  add("backward by a distance", listed_bits + 1, [](std::int64_t r) { return r < 0; });
  add("forward by a distance", listed_bits + 1, [](std::int64_t r) { return r > 0; });
}

/// How far the buckets are from those of a spec, whichever sign relative positions have.
double misfit(const BucketSubject& subject, const OrderedJson& spec) {
  constexpr std::size_t looked_at = 512;
  const auto other = encoding_of(spec);
  const auto* rule = other == nullptr ? nullptr : other->bucket_rule();
  if (rule == nullptr) {
    return std::numeric_limits<double>::infinity();
  }
  const auto step = 1 + subject.observed.size() / looked_at;
  double as_it_is = 0;
  double negated = 0;
  for (std::size_t i = 0; i < subject.observed.size(); i += step) {
    const auto& one = subject.observed[i];
    const auto distance = [&](std::int64_t r) {
      const auto expected = (*rule)(r);
      const auto off = [&](std::int64_t bucket) {
        return std::abs(static_cast<double>(one.bucket - bucket));
      };
      return std::min(off(expected.index), off(expected.across.value_or(expected.index)));
    };
    as_it_is += distance(one.relative_position);
    negated += distance(-one.relative_position);
  }
  return std::min(as_it_is, negated);
}

/// The rules of other specs: other keys, and numbers that fit the buckets.
void append_other_specs(const BucketSubject& subject, BucketEdits& edits) {
  auto changes = spec_changes(subject.encoding);
  if (!subject.is("t5_bucket") &&
      !subject.is("deberta_bucket")) {  // of theirs logarithmic_buckets.cpp knows two at once
    std::ranges::move(fitted_changes(
                          subject.encoding, [&](const OrderedJson& spec) { return misfit(subject, spec); },
                          [](std::string_view) { return true; }),
                      std::back_inserter(changes));
  }
  for (auto& change : changes) {
    edits.push_back(with_rule(std::move(change.finding), change.bits, *change.encoding->bucket_rule()));
  }
}

}  // namespace

BucketEdits bucket_edits(const BucketSubject& subject) {
  auto edits = listed_edits(subject);
  append_clamps(subject, edits);
  append_bucket_offsets(subject, edits);
  append_other_bucket(subject, edits);
  append_far_buckets(subject, edits);
  append_other_specs(subject, edits);
  return edits;
}

}  // namespace vernier
