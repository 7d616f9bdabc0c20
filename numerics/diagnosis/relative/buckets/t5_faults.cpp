// Other ways to compute the buckets of T5.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/core.h>

#include "numerics/diagnosis/relative/buckets/bucket_fit.hpp"
#include "numerics/diagnosis/relative/buckets/bucket_model.hpp"
#include "numerics/diagnosis/relative/buckets/logarithmic_buckets.hpp"

namespace vernier {
namespace {

/// The computation, with what may be wrong in it.
struct T5Form {
  bool bidirectional = true;
  std::int64_t buckets = 16;  ///< of a direction
  std::int64_t exact = 8;     ///< distances with a bucket each
  std::int64_t max_distance = 128;
  std::int64_t far_shift = 0;    ///< added to the buckets of farther ones
  std::int64_t ahead = 16;       ///< added for keys ahead of the query
  std::int64_t least_ahead = 1;  ///< the first relative position that is ahead
  bool is_clamped = true;
  /// What takes the place of the distance; null for the right one.
  std::int64_t (*distance)(std::int64_t relative_position) = nullptr;
};

std::int64_t distance_of(const T5Form& form, std::int64_t r) {
  if (form.distance != nullptr) {
    return form.distance(r);
  }
  return form.bidirectional ? std::abs(r) : std::max(-r, std::int64_t{0});
}

/// \param scale the whole number of steps that a distance lies up the logarithmic scale, as a Bucket
template <class Scale>
BucketRule rule_of(const T5Form& form, Scale scale) {
  return [form, scale = std::move(scale)](std::int64_t r) -> Bucket {
    const auto direction = form.bidirectional && r >= form.least_ahead ? form.ahead : 0;
    const auto distance = distance_of(form, r);
    if (distance < form.exact) {
      return {direction + distance};
    }
    const auto place = [&](std::int64_t reached) {
      const auto bucket = form.exact + reached + form.far_shift;
      return direction + (form.is_clamped ? std::min(bucket, form.buckets - 1) : bucket);
    };
    const Bucket reached = scale(distance);
    const auto index = place(reached.index);
    const auto across = reached.across ? std::optional(place(*reached.across)) : std::nullopt;
    return {index, across == index ? std::nullopt : across};
  };
}

class T5Edits {
 public:
  explicit T5Edits(const BucketSubject& subject) : subject_(subject) {
    declared_.bidirectional = subject.declared_flag("bidirectional");
    declared_.buckets = subject.declared_integer("num_buckets") / (declared_.bidirectional ? 2 : 1);
    declared_.exact = declared_.buckets / 2;
    declared_.max_distance = subject.declared_integer("max_distance");
    declared_.ahead = declared_.buckets;
  }

  const T5Form& declared() const { return declared_; }
  int steps(const T5Form& form) const { return static_cast<int>(form.buckets - form.exact); }

  /// Exactly computed. \param more_steps than the form has
  void add(std::string sentence, double bits, const T5Form& form,
           ScaleRounding rounding = ScaleRounding::down, int more_steps = 0) {
    const auto steps_up = steps(form) + more_steps;
    if (form.exact >= 1 && form.exact == form.buckets) {
      edits_.push_back(
          with_rule(std::move(sentence), bits, rule_of(form, [](std::int64_t) { return Bucket{0}; })));
    } else if (form.exact >= 1 && steps_up >= 1 && form.max_distance > form.exact) {
      const ExactScale scale(form.exact, form.max_distance, steps_up, reach_of(subject_), rounding);
      edits_.push_back(with_rule(std::move(sentence), bits,
                                 rule_of(form, [scale](std::int64_t n) { return scale.at(n); })));
    }
  }

  /// In floating point.
  void add(std::string sentence, double bits, const RoundedScale& scale) {
    edits_.push_back(with_rule(std::move(sentence), bits,
                               rule_of(declared_, [scale](std::int64_t n) { return Bucket{scale.at(n)}; })));
  }

  RoundedScale rounded_scale() const {
    return {static_cast<double>(declared_.exact), static_cast<double>(declared_.max_distance),
            static_cast<double>(steps(declared_))};
  }

  BucketEdits take() { return std::move(edits_); }

 private:
  const BucketSubject& subject_;
  T5Form declared_;
  BucketEdits edits_;
};

BucketEdits t5_rounding(const BucketSubject& subject) {
  T5Edits edits(subject);
  edits.add("logarithms are rounded to the nearest bucket, not cut off", flag_bits + 1, edits.declared(),
            ScaleRounding::nearest);
  edits.add("logarithms are rounded up, not cut off", flag_bits + 1, edits.declared(), ScaleRounding::up);
  return edits.take();
}

BucketEdits t5_halves(const BucketSubject& subject) {
  T5Edits edits(subject);
  const auto& declared = edits.declared();
  auto form = declared;
  if (declared.bidirectional) {
    form.ahead = 0;
    edits.add("keys ahead of the query have the buckets of those behind it", flag_bits + 1, form);
    form = declared;
    form.least_ahead = 0;
    edits.add("the query's own key counts as ahead of it", flag_bits + 2, form);
    form = declared;
    form.buckets = 2 * declared.buckets;
    form.exact = declared.buckets;
    form.ahead = form.buckets;
    edits.add("each direction has all buckets, not half of them", variant_bits, form);
    form.ahead = declared.ahead;
    edits.add("each direction has all buckets, and both overlap", variant_bits + 1, form);
    form = declared;
    form.distance = [](std::int64_t r) { return -r; };
    edits.add("the absolute value of relative positions is left out", variant_bits, form);
  } else {
    form.distance = [](std::int64_t r) { return std::abs(r); };
    edits.add("keys ahead of the query have the buckets of those behind it", flag_bits + 1, form);
    form.distance = [](std::int64_t r) { return -r; };
    edits.add("keys ahead of the query have negative buckets", variant_bits, form);
  }
  return edits.take();
}

BucketEdits t5_exact_range(const BucketSubject& subject) {
  T5Edits edits(subject);
  const auto& declared = edits.declared();
  const auto with_exact = [&](std::int64_t exact, double bits) {
    auto form = declared;
    form.exact = exact;
    edits.add(
        fmt::format("the first {} distances have a bucket each, not the first {}", exact, declared.exact),
        bits, form);
  };
  with_exact(declared.exact - 1, variant_bits);
  with_exact(declared.exact + 1, variant_bits);
  with_exact(declared.buckets, variant_bits);
  with_exact(declared.buckets - 1, variant_bits + 1);
  with_exact(declared.exact / 2, variant_bits);
  for (const int more : {1, -1}) {
    edits.add(fmt::format("the logarithmic scale has one step {}", more > 0 ? "more" : "less"), variant_bits,
              declared, ScaleRounding::down, more);
  }
  return edits.take();
}

BucketEdits t5_clamps(const BucketSubject& subject) {
  T5Edits edits(subject);
  auto form = edits.declared();
  form.is_clamped = false;
  edits.add("buckets go on beyond the last one", flag_bits + 1, form);
  return edits.take();
}

BucketEdits t5_far_buckets(const BucketSubject& subject) {
  T5Edits edits(subject);
  for (const int shift : {1, -1}) {
    auto form = edits.declared();
    form.far_shift = shift;
    edits.add(fmt::format("the logarithmic buckets are {} by one", shift > 0 ? "larger" : "smaller"),
              variant_bits, form);
  }
  return edits.take();
}

/// \param of_itself whether the query's own key has the distance too \param ahead likewise those ahead of the
/// query, where these have the distance 0
template <std::int64_t by, bool of_itself, bool ahead>
std::int64_t shifted_distance(std::int64_t r) {
  const bool is_shifted = r < 0 || (r == 0 && of_itself) || (r > 0 && ahead);
  return std::max(-r, std::int64_t{0}) + (is_shifted ? by : 0);
}
template <std::int64_t by, bool of_itself>
std::int64_t shifted_distance_both_ways(std::int64_t r) {
  return std::abs(r) + (r != 0 || of_itself ? by : 0);
}

BucketEdits t5_distances(const BucketSubject& subject) {
  T5Edits edits(subject);
  auto form = edits.declared();
  const auto add = [&](std::string_view sentence, double bits, std::int64_t (*distance)(std::int64_t)) {
    form.distance = distance;
    edits.add(std::string(sentence), bits, form);
  };
  constexpr std::string_view larger = "distances are larger by 1";
  constexpr std::string_view larger_but = "distances other than 0 are larger by 1";
  constexpr std::string_view smaller_but = "distances other than 0 are smaller by 1";
  if (form.bidirectional) {
    add(larger, variant_bits, shifted_distance_both_ways<1, true>);
    add(larger_but, variant_bits + 1, shifted_distance_both_ways<1, false>);
    add(smaller_but, variant_bits + 1, shifted_distance_both_ways<-1, false>);
    return edits.take();
  }
  add(larger, variant_bits, shifted_distance<1, true, true>);
  add(larger_but, variant_bits + 1, shifted_distance<1, false, false>);
  add(smaller_but, variant_bits + 1, shifted_distance<-1, false, false>);
  const auto with_ahead = [](std::string_view sentence) {
    return std::string(sentence) + ", and so is that of keys ahead of the query, 0";
  };
  add(with_ahead(larger_but), variant_bits + 2, shifted_distance<1, false, true>);
  add(with_ahead(smaller_but), variant_bits + 2, shifted_distance<-1, false, true>);
  return edits.take();
}

BucketEdits t5_log_formats(const BucketSubject& subject) {
  T5Edits edits(subject);
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    for (const bool constants : {false, true}) {
      for (const bool divides : {true, false}) {
        auto scale = edits.rounded_scale();
        scale.format = format;
        scale.constants_are_rounded = constants;
        scale.divides_first = divides;
        edits.add(fmt::format("logarithms are computed in {}", traits(format).name),
                  variant_bits + (constants ? 1 : 0) + (divides ? 0 : 0.5), scale);
      }
    }
  }
  for (const int ulps : {-1, 1}) {
    auto scale = edits.rounded_scale();
    scale.format = Format::binary32;
    scale.log_ulps = ulps;
    edits.add(fmt::format("logarithms are computed in float32 and come out an ulp too {}",
                          ulps < 0 ? "low" : "high"),
              variant_bits + 2, scale);
  }
  return edits.take();
}

BucketEdits t5_logarithms(const BucketSubject& subject) {
  T5Edits edits(subject);
  for (const double inside : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    auto scale = edits.rounded_scale();
    scale.inside = inside;
    edits.add(fmt::format("{:g} is added inside the logarithm", inside),
              inside == 1 ? variant_bits : listed_bits, scale);
  }
  struct Bases {
    std::string_view sentence;
    double times;
  };
  for (const auto& [sentence, times] :
       {Bases{"the logarithm of the distance has base 2, that of the range is natural",
              std::log2(std::exp(1.0))},
        Bases{"the logarithm of the distance is natural, that of the range has base 2", std::log(2.0)},
        Bases{"the logarithm of the distance has base 10, that of the range is natural",
              std::log10(std::exp(1.0))},
        Bases{"the logarithm of the distance is natural, that of the range has base 10", std::log(10.0)}}) {
    auto scale = edits.rounded_scale();
    scale.times = times;
    edits.add(std::string(sentence), variant_bits + 1, scale);
  }
  return edits.take();
}

BucketEdits t5_max_distance(const BucketSubject& subject) {
  return other_ranges(subject, t5_fit(subject));
}

BucketEdits t5_num_buckets(const BucketSubject& subject) {
  return other_bucket_counts(subject, t5_fit(subject));
}

constexpr std::array<BucketFault, 10> t5_faults{{
    {"bucket/rounding", t5_rounding},
    {"bucket/halves", t5_halves},
    {"bucket/exact-range", t5_exact_range},
    {"bucket/clamp", t5_clamps},
    {"bucket/off-by-one", t5_far_buckets},
    {"position/bucket-distance", t5_distances},
    {"bucket/log-format", t5_log_formats},
    {"bucket/logarithm", t5_logarithms},
    {"bucket/max-distance", t5_max_distance},
    {"bucket/num-buckets", t5_num_buckets},
}};

}  // namespace

BucketEdits t5_edits(const BucketSubject& subject) {
  BucketEdits edits;
  if (subject.is("t5_bucket")) {
    append_edits(t5_faults, subject, edits);
  }
  return edits;
}

}  // namespace vernier
