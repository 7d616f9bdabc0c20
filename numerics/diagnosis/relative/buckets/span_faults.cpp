// Relative positions that are clipped, without logarithms: Shaw's, and those of the first DeBERTa.

#include <algorithm>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"

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

constexpr std::array<BucketFault, 1> span_faults{{
    {"bucket/clip", ends},
}};

}  // namespace

BucketEdits span_edits(const BucketSubject& subject) {
  BucketEdits edits;
  if (subject.is("shaw") || subject.is("deberta_span")) {
    append_edits(span_faults, subject, edits);
  }
  return edits;
}

}  // namespace vernier
