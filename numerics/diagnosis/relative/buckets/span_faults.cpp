// Relative positions that are clipped, without logarithms: Shaw's, and those of the first DeBERTa.

#include <algorithm>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/spec_patch.hpp"

namespace vernier {
namespace {

/// clip(r, -span, last - span) + shift.
struct Clip {
  std::int64_t span;
  std::int64_t last;
  std::int64_t shift;
};

BucketRule rule_of(const Clip& clip) {
  return [clip](std::int64_t r) -> Bucket {
    return {std::clamp(r, -clip.span, clip.last - clip.span) + clip.shift};
  };
}

std::string_view span_key(const BucketSubject& subject) {
  return subject.is("shaw") ? "max_relative_position" : "max_relative_positions";
}

/// Whether it is clipped farther to one side.
bool is_lopsided(const BucketSubject& subject) {
  return subject.is("shaw") && subject.encoding.spec().contains("left");
}

Clip declared_clip(const BucketSubject& subject) {
  if (is_lopsided(subject)) {
    const auto left = subject.declared_integer("left");
    return {left, left + subject.declared_integer("right"), left};
  }
  const auto span = subject.declared_integer(span_key(subject));
  return {span, subject.is("shaw") ? 2 * span : 2 * span - 1, span};
}

/// The index of the greatest relative position that was observed.
std::int64_t greatest_index(const BucketSubject& subject) {
  return std::ranges::max_element(subject.observed, {}, &ObservedBucket::bucket)->bucket;
}

/// Other ends of a clip that reaches farther to one side.
BucketEdits reaches(const BucketSubject& subject) {
  const auto declared = declared_clip(subject);
  const auto left = declared.span;
  const auto right = declared.last - declared.span;
  const auto& near = subject.nearest_to_zero();
  BucketEdits edits;
  const auto add = [&](std::string_view key, std::int64_t was, std::int64_t is) {
    if (is >= 0 && is != was) {
      std::ranges::move(with_patch(subject, fmt::format("{} is {}, not {}", key, is, was), integer_bits(is),
                                   replacement(key, is)),
                        std::back_inserter(edits));
    }
  };
  add("left", left, near.bucket - near.relative_position);
  add("right", right, greatest_index(subject) - left);
  edits.push_back(
      with_rule("left and right are exchanged", flag_bits, rule_of({right, declared.last, right})));
  return edits;
}

BucketEdits spans(const BucketSubject& subject) {
  if (is_lopsided(subject)) {
    return reaches(subject);
  }
  const auto declared = subject.declared_integer(span_key(subject));
  std::vector<std::int64_t> candidates{declared + 1, declared - 1, declared / 2, 2 * declared};
  const auto& near = subject.nearest_to_zero();
  candidates.push_back(near.bucket - near.relative_position);
  candidates.push_back(near.bucket + near.relative_position);
  candidates.push_back((greatest_index(subject) + 1) / 2);
  std::ranges::sort(candidates);
  candidates.erase(std::ranges::unique(candidates).begin(), candidates.end());
  BucketEdits edits;
  for (const auto span : candidates) {
    if (span >= 1 && span != declared) {
      const double bits =
          std::abs(span - declared) == 1 ? variant_bits : std::min(listed_bits + 2, integer_bits(span));
      std::ranges::move(
          with_patch(subject, fmt::format("{} is {}, not {}", span_key(subject), span, declared), bits,
                     replacement(span_key(subject), span)),
          std::back_inserter(edits));
    }
  }
  return edits;
}

BucketEdits ends(const BucketSubject& subject) {
  const auto declared = declared_clip(subject);
  BucketEdits edits;
  const auto add = [&](std::string sentence, double bits, const Clip& clip) {
    edits.push_back(with_rule(std::move(sentence), bits, rule_of(clip)));
  };
  auto clip = declared;
  clip.last += subject.is("shaw") ? -1 : 1;
  add(fmt::format("the last index is {}, not {}", clip.last, declared.last), variant_bits, clip);
  edits.push_back(with_rule("relative positions are not clipped", flag_bits + 1,
                            [shift = declared.shift](std::int64_t r) -> Bucket { return {r + shift}; }));
  edits.push_back(with_rule("the span is added after relative positions are clipped from 0 on", variant_bits,
                            [declared](std::int64_t r) -> Bucket {
                              return {std::clamp(r, std::int64_t{0}, declared.span) + declared.shift};
                            }));
  edits.push_back(with_rule("indices wrap at the number of embeddings", variant_bits,
                            [declared](std::int64_t r) -> Bucket {
                              const auto count = declared.last + 1;
                              return {((r + declared.shift) % count + count) % count};
                            }));
  return edits;
}

constexpr std::array<BucketFault, 2> span_faults{{
    {{"bucket/span", Stage::bucket, "another span",
      "Far keys share their embeddings sooner, or later, than trained.", "If it is intended, declare it."},
     spans},
    {{"bucket/clip", Stage::bucket, "relative positions clipped otherwise",
      "Far keys read embeddings of other distances, or none at all.", "Look at both ends of the clip."},
     ends},
}};

}  // namespace

FaultKinds span_kinds() {
  return kinds_of(span_faults);
}

BucketEdits span_edits(const BucketSubject& subject) {
  BucketEdits edits;
  if (subject.is("shaw") || subject.is("deberta_span")) {
    append_edits(span_faults, subject, edits);
  }
  return edits;
}

}  // namespace vernier
