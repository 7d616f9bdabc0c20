// Other ways to compute the logarithmic buckets of DeBERTa.

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/bucket_fit.hpp"
#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/relative/buckets/logarithmic_buckets.hpp"

namespace vernier {
namespace {

/// The computation, with what may be wrong in it.
struct DebertaForm {
  std::int64_t exact = 128;  ///< distances that keep their value
  std::int64_t last = 511;   ///< the distance in the last bucket
  std::int64_t steps = 127;
  std::int64_t farthest = 0;   ///< that distances are held to; 0 for none
  std::int64_t far_shift = 0;  ///< added to the logarithmic buckets
  bool has_sign = true;
};

template <class Scale>
BucketRule signed_rule(const DebertaForm& form, Scale scale) {
  return [form, scale = std::move(scale)](std::int64_t r) -> Bucket {
    const auto distance = form.farthest > 0 ? std::min(std::abs(r), form.farthest) : std::abs(r);
    if (distance <= form.exact) {
      return {form.has_sign ? r : distance};
    }
    Bucket bucket = scale(distance);
    const auto place = [&](std::int64_t reached) {
      const auto unsigned_bucket = form.exact + reached + form.far_shift;
      return r < 0 && form.has_sign ? -unsigned_bucket : unsigned_bucket;
    };
    return {place(bucket.index), bucket.across ? std::optional(place(*bucket.across)) : std::nullopt};
  };
}

class DebertaEdits {
 public:
  explicit DebertaEdits(const BucketSubject& subject) : subject_(subject) {
    const auto max_position = subject.declared_integer("max_position");
    declared_.exact = subject.declared_integer("bucket_size") / 2;
    declared_.last = max_position - 1;
    declared_.steps = declared_.exact - 1;
    declared_.farthest = subject.declared_flag("clamp") ? max_position - 1 : 0;
  }

  const DebertaForm& declared() const { return declared_; }

  void add(std::string sentence, double bits, const DebertaForm& form,
           ScaleRounding rounding = ScaleRounding::up) {
    if (form.exact >= 1 && form.steps >= 1 && form.last > form.exact) {
      const ExactScale scale(form.exact, form.last, static_cast<int>(form.steps), reach_of(subject_),
                             rounding);
      edits_.push_back(with_rule(std::move(sentence), bits,
                                 signed_rule(form, [scale](std::int64_t n) { return scale.at(n); })));
    }
  }

  void add(std::string sentence, double bits, const RoundedScale& scale) {
    edits_.push_back(with_rule(std::move(sentence), bits, signed_rule(declared_, [scale](std::int64_t n) {
                                 return Bucket{scale.at(n)};
                               })));
  }

  BucketEdits take() { return std::move(edits_); }

 private:
  const BucketSubject& subject_;
  DebertaForm declared_;
  BucketEdits edits_;
};

BucketEdits deberta_rounding(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  edits.add("logarithms are cut off, not rounded up", flag_bits + 1, edits.declared(), ScaleRounding::down);
  edits.add("logarithms are rounded to the nearest bucket, not up", flag_bits + 1, edits.declared(),
            ScaleRounding::nearest);
  return edits.take();
}

BucketEdits deberta_clamp(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  auto form = edits.declared();
  form.farthest = form.last + 1;
  edits.add("relative positions are held to max_position", variant_bits, form);
  return edits.take();
}

BucketEdits deberta_range(const BucketSubject& subject) {
  auto edits = other_ranges(subject, deberta_fit(subject));
  DebertaEdits others(subject);
  auto form = others.declared();
  form.last += 1;
  others.add("the logarithm's range ends at max_position, not at max_position - 1", flag_bits + 1.5, form);
  std::ranges::move(others.take(), std::back_inserter(edits));
  return edits;
}

BucketEdits deberta_bucket_size(const BucketSubject& subject) {
  return other_bucket_counts(subject, deberta_fit(subject));
}

BucketEdits deberta_exact_range(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  for (const int more : {1, -1}) {
    auto form = edits.declared();
    form.exact += more;
    form.steps += more;
    edits.add(fmt::format("the first {} distances keep their value, not the first {}", form.exact,
                          edits.declared().exact),
              variant_bits, form);
    form = edits.declared();
    form.steps += more;
    edits.add(fmt::format("the logarithmic scale has one step {}", more > 0 ? "more" : "less"), variant_bits,
              form);
  }
  return edits.take();
}

BucketEdits deberta_far_buckets(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  for (const int shift : {1, -1}) {
    auto form = edits.declared();
    form.far_shift = shift;
    edits.add(fmt::format("the logarithmic buckets are {} by one", shift > 0 ? "larger" : "smaller"),
              variant_bits, form);
  }
  return edits.take();
}

BucketEdits deberta_sign(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  auto form = edits.declared();
  form.has_sign = false;
  edits.add("buckets have no sign", flag_bits + 0.5, form);
  return edits.take();
}

BucketEdits deberta_log_formats(const BucketSubject& subject) {
  DebertaEdits edits(subject);
  const auto& form = edits.declared();
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    for (const bool constants : {false, true}) {
      for (const bool divides : {true, false}) {
        edits.add(fmt::format("logarithms are computed in {}", traits(format).name),
                  variant_bits + (constants ? 1 : 0) + (divides ? 0 : 0.5),
                  {static_cast<double>(form.exact), static_cast<double>(form.last),
                   static_cast<double>(form.steps), ScaleRounding::up, format, constants, divides});
      }
    }
  }
  return edits.take();
}

constexpr std::array<BucketFault, 8> deberta_faults{{{"bucket/rounding", deberta_rounding},
                                                     {"bucket/clamp", deberta_clamp},
                                                     {"bucket/max-distance", deberta_range},
                                                     {"bucket/num-buckets", deberta_bucket_size},
                                                     {"bucket/exact-range", deberta_exact_range},
                                                     {"bucket/off-by-one", deberta_far_buckets},
                                                     {"bucket/sign", deberta_sign},
                                                     {"bucket/log-format", deberta_log_formats}}};

}  // namespace

BucketEdits deberta_edits(const BucketSubject& subject) {
  BucketEdits edits;
  if (subject.is("deberta_bucket")) {
    append_edits(deberta_faults, subject, edits);
  }
  return edits;
}

}  // namespace vernier
