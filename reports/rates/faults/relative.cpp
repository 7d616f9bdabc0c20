// Faults of biases and buckets.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

std::optional<Planted> slopes_plain(Draw&, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty() || std::has_single_bit(biases.front().slopes.size())) {
    return std::nullopt;
  }
  const auto heads = static_cast<double>(biases.front().slopes.size());
  design.sloping = [heads](std::size_t head) {
    return std::exp2(-8 * static_cast<double>(head + 1) / heads);
  };
  return Planted{"2^(-8k/n) though n is no power of two"};
}

std::optional<Planted> slopes_off(Draw& draw, Design& design) {
  if (!design.sloping) {
    return std::nullopt;
  }
  const auto kind = draw.between(0, 2);
  const auto heads = design.encoding->all<BiasTable>().front().slopes.size();
  const double share = draw.spread(1e-2, 1);
  design.sloping = [honest = design.sloping, kind, heads, share](std::size_t head) {
    return kind == 0 ? honest(heads - 1 - head) : kind == 1 ? -honest(head) : honest(head) * (1 + share);
  };
  static constexpr std::array<const char*, 3> names{"in the reverse order", "with the other sign",
                                                    "too large"};
  return Planted{names[static_cast<std::size_t>(kind)]};
}

std::optional<Planted> bias_positions(Draw& draw, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty() || biases.back().factor != BiasTable::Factor::key_position) {
    return std::nullopt;
  }
  const auto by = static_cast<double>(draw.one_of({1, -1, 2}));
  map_places(design, [by](double place) { return place + by; });
  return Planted{"by " + number(by)};
}

std::optional<Planted> bias_narrow(Draw& draw, Design& design) {
  if (!design.sloping || traits(design.stored()).precision < 24 || design.length() < 300) {
    return std::nullopt;
  }
  const auto format = draw.chance(0.5) ? Format::bfloat16 : Format::binary16;
  design.storing = [format](double value) { return round_to(format, value); };
  return Planted{"in " + std::string(traits(format).name), {greatest_position(design)}};
}

std::optional<Planted> bucket_sign(Draw&, Design& design) {
  if (!design.bucketing) {
    return std::nullopt;
  }
  design.bucketing = [honest = design.bucketing](std::int64_t r) { return honest(-r); };
  return Planted{"query minus key for key minus query"};
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

}  // namespace

std::span<const Fault> relative_faults() {
  static const std::array all{
      Fault{"biases/plain-slopes",
            "ALiBi's slopes by the formula for powers of two",
            Shows::values,
            slopes_plain,
            {"slope/plain-geometric"}},
      Fault{"biases/slopes", "ALiBi's slopes are others", Shows::values, slopes_off},
      Fault{"biases/positions",
            "ALiBi's keys are off",
            Shows::values,
            bias_positions,
            {"position/offset", "position/distance"}},
      Fault{"biases/narrow",
            "biases went through a narrower type",
            Shows::values,
            bias_narrow,
            {"storage/format", "slope/format"}},
      Fault{"buckets/sign",
            "relative positions have the other sign",
            Shows::values,
            bucket_sign,
            {"bucket/relative-sign"}},
      Fault{"buckets/one-off",
            "one relative position is in the next bucket",
            Shows::values,
            bucket_one_off,
            {"damage/element"}},
      Fault{"buckets/far",
            "far relative positions are in the next bucket",
            Shows::values,
            bucket_far,
            {"bucket/off-by-one"}},
      Fault{"buckets/direction",
            "buckets for both directions where one is meant",
            Shows::values,
            bucket_direction,
            {"bucket/direction", "bucket/num-buckets"}},
  };
  return all;
}

}  // namespace vernier::rates
