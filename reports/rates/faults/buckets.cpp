// Faults of buckets of relative positions.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "props/specs.hpp"
#include "reference/input_error.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> bucket_sign(Draw&, Design& design) {
  if (!design.bucketing) {
    return std::nullopt;
  }
  design.bucketing = [honest = design.bucketing](std::int64_t r) { return honest(-r); };
  Planted planted{"query minus key for key minus query"};
  if (design.encoding->scheme() == "deberta_bucket") {
    planted.names = {"direction/relative-sign", "mapping/bucket-sign"};  // an odd function
  }
  return planted;
}

std::optional<Planted> bucket_one_off(Draw& draw, Design& design) {
  if (!design.bucketing) {
    return std::nullopt;
  }
  // On an edge the contract allows either bucket.
  const auto at = draw.between(least_position(design), greatest_position(design));
  if (design.encoding->all<BucketTable>().front().rule(at).across) {
    return std::nullopt;
  }
  const auto by = draw.one_of<std::int64_t>({1, -1});
  design.bucketing = [honest = design.bucketing, at, by](std::int64_t r) {
    return honest(r) + (r == at ? by : 0);
  };
  return Planted{"at " + std::to_string(at), {at}};
}

std::optional<Planted> bucket_far(Draw& draw, Design& design) {
  const auto half = greatest_position(design);
  if (!design.bucketing || half < 32) {
    return std::nullopt;
  }
  const auto limit = draw.between(half / 2, half - 1);
  design.bucketing = [honest = design.bucketing, limit](std::int64_t r) {
    return std::abs(r) > limit ? honest(r) + 1 : honest(r);
  };
  return Planted{"beyond " + std::to_string(limit), {-half, half}};
}

std::optional<Planted> bucket_direction(Draw&, Design& design) {
  auto spec = OrderedJson::parse(design.spec);
  if (spec["scheme"] != "t5_bucket") {
    return std::nullopt;
  }
  spec["bidirectional"] = !spec["bidirectional"].get<bool>();
  design.bucketing = [rule = encoding_of(spec.dump())->all<BucketTable>().front().rule](std::int64_t r) {
    return rule(r).index;
  };
  return Planted{"bidirectional for causal, or the other way round"};
}

/// The buckets of another spec.
void bucket_by(Design& design, const OrderedJson& spec) {
  design.bucketing = [rule = encoding_of(spec.dump())->all<BucketTable>().front().rule](std::int64_t r) {
    return rule(r).index;
  };
}

/// A key of the spec, times a factor. \param scheme that has it
std::optional<Planted> other_key(Design& design, std::string_view scheme, const char* key, double factor,
                                 std::int64_t plus) {
  auto spec = OrderedJson::parse(design.spec);
  if (design.encoding->scheme() != scheme || !spec.contains(key)) {
    return std::nullopt;
  }
  const auto was = spec[key].get<std::int64_t>();
  spec[key] = static_cast<std::int64_t>(static_cast<double>(was) * factor) + plus;
  bucket_by(design, spec);
  return Planted{std::string(key) + " " + spec[key].dump() + " for " + std::to_string(was),
                 {greatest_position(design)}};
}

std::optional<Planted> other_distance(Draw& draw, Design& design) {
  const auto factor = draw.one_of({2.0, 0.5, 1.0});
  const auto plus = factor == 1 ? draw.one_of<std::int64_t>({1, -1}) : 0;
  const bool is_t5 = design.encoding->scheme() == "t5_bucket";
  try {
    return is_t5 ? other_key(design, "t5_bucket", "max_distance", factor, plus)
                 : other_key(design, "deberta_bucket", "max_position", factor, plus);
  } catch (const InputError&) {
    return std::nullopt;  // no such buckets
  }
}

std::optional<Planted> other_count(Draw& draw, Design& design) {
  const auto factor = draw.one_of({2.0, 0.5});
  try {
    return design.encoding->scheme() == "t5_bucket"
               ? other_key(design, "t5_bucket", "num_buckets", factor, 0)
               : other_key(design, "deberta_bucket", "bucket_size", factor, 0);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// T5's formula, with its faults.
struct T5 {
  std::int64_t buckets = 0;  ///< in one direction
  double farthest = 0;
  bool both = false;
  std::int64_t exact = 0;
  bool rounds = false;
  bool clamps = true;
  std::int64_t first = 0;  ///< what is added to distances
  Format logarithm = Format::binary32;

  std::int64_t operator()(std::int64_t relative) const {
    const auto distance =
        (both ? std::abs(relative) : std::max<std::int64_t>(-relative, 0)) + (relative == 0 ? 0 : first);
    const auto ahead = both && relative > 0 ? buckets : 0;
    if (distance < exact) {
      return ahead + distance;
    }
    const auto quotient = static_cast<double>(distance) / static_cast<double>(exact);
    const double octaves =
        round_to(logarithm, round_to(logarithm, std::log(round_to(logarithm, quotient))) /
                                round_to(logarithm, std::log(farthest / static_cast<double>(exact))));
    const double beyond = octaves * static_cast<double>(buckets - exact);
    const auto bucket =
        exact + static_cast<std::int64_t>(rounds ? std::nearbyint(beyond) : std::floor(beyond));
    return ahead + (clamps ? std::min(buckets - 1, bucket) : bucket);
  }
};

std::optional<T5> t5_of(const Design& design) {
  if (design.encoding->scheme() != "t5_bucket") {
    return std::nullopt;
  }
  const auto spec = design.encoding->spec();
  const bool both = spec["bidirectional"];
  const auto buckets = spec["num_buckets"].get<std::int64_t>() / (both ? 2 : 1);
  return T5{.buckets = buckets, .farthest = spec["max_distance"], .both = both, .exact = buckets / 2};
}

template <class Change>
std::optional<Planted> t5_with(Design& design, std::string words, Change change) {
  auto t5 = t5_of(design);
  if (!t5) {
    return std::nullopt;
  }
  change(*t5);
  const auto far = greatest_position(design);
  std::vector<std::int64_t> telling;
  for (std::int64_t r = -std::min<std::int64_t>(far, 2000); r <= std::min<std::int64_t>(far, 2000); ++r) {
    // On an edge the contract allows either bucket.
    const auto rule = design.encoding->all<BucketTable>().front().rule(r);
    if (!rule.across && rule.index != (*t5)(r)) {
      telling.push_back(r);
      break;
    }
  }
  if (telling.empty()) {
    return std::nullopt;
  }
  design.bucketing = *t5;
  return Planted{std::move(words), std::move(telling)};
}

std::optional<Planted> t5_rounds(Draw&, Design& design) {
  return t5_with(design, "to the nearest", [](T5& t5) { t5.rounds = true; });
}

std::optional<Planted> t5_unclamped(Draw&, Design& design) {
  return t5_with(design, "beyond max_distance", [](T5& t5) { t5.clamps = false; });
}

std::optional<Planted> t5_exact_range(Draw&, Design& design) {
  return t5_with(design, "half as wide", [](T5& t5) { t5.exact /= 2; });
}

std::optional<Planted> t5_off_by_one(Draw& draw, Design& design) {
  const auto by = draw.one_of<std::int64_t>({1, -1});
  return t5_with(design, "by " + std::to_string(by), [by](T5& t5) { t5.first = by; });
}

std::optional<Planted> t5_narrow(Draw& draw, Design& design) {
  const auto format = draw.chance(0.7) ? Format::bfloat16 : Format::binary16;
  return t5_with(design, "in " + std::string(traits(format).name),
                 [format](T5& t5) { t5.logarithm = format; });
}

std::optional<Planted> deberta_clamp(Draw&, Design& design) {
  auto spec = design.encoding->spec();
  if (design.encoding->scheme() != "deberta_bucket") {
    return std::nullopt;
  }
  const auto beyond = spec["max_position"].get<std::int64_t>() + 1;
  spec["clamp"] = !spec["clamp"].get<bool>();
  bucket_by(design, spec);
  return Planted{spec["clamp"] ? "though they should not be" : "not, though they should be",
                 {beyond, -beyond}};
}

}  // namespace

std::span<const Fault> bucket_faults() {
  static const std::array all{
      Fault{"buckets/sign",
            "relative positions have the other sign",
            Shows::values,
            bucket_sign,
            {"direction/relative-sign"},
            "bucket"},
      Fault{"buckets/one-off",
            "one relative position is in the next bucket",
            Shows::values,
            bucket_one_off,
            {"damage/bucket"},
            "bucket"},
      Fault{"buckets/far",
            "far relative positions are in the next bucket",
            Shows::values,
            bucket_far,
            {"bucket/far"},
            "bucket"},
      Fault{"buckets/direction",
            "buckets for both directions where one is meant",
            Shows::values,
            bucket_direction,
            {"bucket/direction", "bucket/num-buckets"},
            "t5_bucket"},

      Fault{"buckets/max-distance",
            "buckets reach another distance",
            Shows::values,
            other_distance,
            {"bucket/max-distance", "bucket/off-by-one"},
            "bucket"},
      Fault{"buckets/count",
            "there are other numbers of buckets",
            Shows::values,
            other_count,
            {"bucket/num-buckets", "bucket/exact-range", "bucket/direction"},
            "bucket"},
      Fault{"buckets/rounding",
            "logarithms are rounded where they should be cut off",
            Shows::values,
            t5_rounds,
            {"bucket/rounding"},
            "t5_bucket"},
      Fault{"buckets/unclamped",
            "far distances get buckets that are not there",
            Shows::values,
            t5_unclamped,
            {"bucket/clamp"},
            "t5_bucket"},
      Fault{"buckets/exact-range",
            "fewer distances have a bucket each",
            Shows::values,
            t5_exact_range,
            {"bucket/exact-range"},
            "t5_bucket"},
      Fault{"buckets/distance",
            "distances are off by one",
            Shows::values,
            t5_off_by_one,
            {"position/bucket-distance"},
            "t5_bucket"},
      Fault{"buckets/narrow",
            "logarithms are of 16 bits",
            Shows::values,
            t5_narrow,
            {"bucket/log-format"},
            "t5_bucket"},
      Fault{"buckets/clamp",
            "relative positions are held to the greatest against the spec",
            Shows::values,
            deberta_clamp,
            {"bucket/clamp"},
            "deberta_bucket"},
  };
  return all;
}

}  // namespace vernier::rates
