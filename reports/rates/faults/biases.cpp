// Faults of biases.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <ranges>

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
  static constexpr std::array<std::string_view, 3> ids{"mapping/slope-order", "direction/bias-sign",
                                                       "slope/factor"};
  return Planted{names[static_cast<std::size_t>(kind)], {}, {ids[static_cast<std::size_t>(kind)]}};
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
  Planted planted{"in " + std::string(traits(format).name), {greatest_position(design)}};
  // Rounding commutes with multiplication by powers of two.
  const auto heads = design.encoding->all<BiasTable>().front().slopes.size();
  const auto is_power = [&](std::size_t head) {
    int exponent = 0;
    return std::frexp(design.sloping(head), &exponent) == 0.5;
  };
  if (std::ranges::all_of(std::views::iota(std::size_t{0}, heads), is_power)) {
    planted.names = {"storage/bias-format", "slope/format", "position/distance-format"};
  }
  return planted;
}

/// Slopes that start with the power 0.
std::optional<Planted> slopes_from_one(Draw&, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty()) {
    return std::nullopt;
  }
  design.sloping = [slopes = biases.front().slopes](std::size_t head) {
    const double step = approximately(slopes[head].step);
    return std::exp2(-step * static_cast<double>(slopes[head].power - 1));
  };
  return Planted{"2^0 for the first head"};
}

std::optional<Planted> slopes_of_other_bias(Draw& draw, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty()) {
    return std::nullopt;
  }
  const double factor = draw.one_of({2.0, 0.5, 1.25});
  design.sloping = [slopes = biases.front().slopes, factor](std::size_t head) {
    const double step = approximately(slopes[head].step) * factor;
    return std::exp2(-step * static_cast<double>(slopes[head].power));
  };
  return Planted{number(8 * factor) + " for 8"};
}

/// Of heads that are no power of two in number: the slopes in one descending order.
std::optional<Planted> slopes_sorted(Draw&, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty() || std::has_single_bit(biases.front().slopes.size())) {
    return std::nullopt;
  }
  std::vector<double> sorted;
  for (std::size_t head = 0; head < biases.front().slopes.size(); ++head) {
    sorted.push_back(design.sloping(head));
  }
  std::ranges::sort(sorted, std::greater());
  design.sloping = [sorted = std::move(sorted)](std::size_t head) { return sorted[head]; };
  return Planted{"in descending order"};
}

std::optional<Planted> slopes_narrow(Draw& draw, Design& design) {
  if (!design.sloping || traits(design.stored()).precision < 24) {
    return std::nullopt;
  }
  const auto format = draw.chance(0.6) ? Format::bfloat16 : Format::binary16;
  design.sloping = [honest = design.sloping, format](std::size_t head) {
    return round_to(format, honest(head));
  };
  return Planted{"in " + std::string(traits(format).name)};
}

/// Distances that are others: off by one, aligned to the first keys, of the position for the distance.
std::optional<Planted> distances(Draw& draw, Design& design) {
  const auto biases = design.encoding->all<BiasTable>();
  if (biases.empty() || biases.back().factor == BiasTable::Factor::one) {
    return std::nullopt;
  }
  switch (draw.between(0, 2)) {
    case 0: {
      const auto by = static_cast<double>(draw.one_of({1, -1}));
      design.distancing = [by](const auto&, std::size_t, std::size_t, std::size_t, std::int64_t factor) {
        return static_cast<double>(factor) + by;
      };
      return Planted{"off by " + number(by), {}, {"position/distance-offset"}};
    }
    case 1:
      if (biases.back().factor != BiasTable::Factor::distance) {
        return std::nullopt;
      }
      design.distancing = [](const std::vector<std::int64_t>& at, std::size_t, std::size_t query,
                             std::size_t key,
                             std::int64_t) { return -std::fabs(static_cast<double>(at[query] - at[key])); };
      return Planted{"queries at the first keys", {}, {"position/aligned-to-first"}};
    default: {
      const bool is_key = biases.back().factor == BiasTable::Factor::key_position;
      design.distancing = [is_key](const std::vector<std::int64_t>& at, std::size_t, std::size_t,
                                   std::size_t key, std::int64_t) {
        return static_cast<double>(is_key ? at[key] - at.back() : at[key]);
      };
      return Planted{is_key ? "the distance to the last key for its position"
                            : "the position of the key for its distance"};
    }
  }
}

}  // namespace

std::span<const Fault> bias_faults() {
  static const std::array all{
      Fault{"biases/plain-slopes",
            "ALiBi's slopes by the formula for powers of two",
            Shows::values,
            slopes_plain,
            {"slope/plain-geometric"},
            "alibi"},
      Fault{"biases/slopes", "ALiBi's slopes are others", Shows::values, slopes_off, {}, "alibi"},
      Fault{"biases/positions",
            "ALiBi's keys are off",
            Shows::values,
            bias_positions,
            // What is counted from 0 is off by the first position.
            {"position/distance-offset", "position/counted-keys"},
            "alibi"},
      Fault{"biases/narrow",
            "biases went through a narrower type",
            Shows::values,
            bias_narrow,
            {"storage/bias-format", "slope/format"},
            "alibi"},
      Fault{"biases/first-power",
            "ALiBi's slopes start with one",
            Shows::values,
            slopes_from_one,
            {"slope/first-power", "slope/factor"},
            "alibi"},
      Fault{"biases/max-bias",
            "ALiBi's slopes are of another greatest bias",
            Shows::values,
            slopes_of_other_bias,
            {"slope/max-bias"},
            "alibi"},
      Fault{"biases/sorted",
            "ALiBi's slopes are in one descending order",
            Shows::values,
            slopes_sorted,
            {"mapping/slope-order"},
            "alibi"},
      Fault{"biases/slope-format",
            "slopes went through a narrower type",
            Shows::values,
            slopes_narrow,
            {"slope/format"},
            "alibi"},
      Fault{"biases/distances",
            "ALiBi's distances are others",
            Shows::values,
            distances,
            // The distance to the last key is its position less a number.
            {"position/distance", "position/distance-offset"},
            "alibi"},
  };
  return all;
}

}  // namespace vernier::rates
