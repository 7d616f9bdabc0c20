// Faults of RoPE's scalings: the design computes another encoding than its spec says.

#include <array>
#include <cmath>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

/// The spec's scaling, if there is one that a fault can spoil.
std::optional<OrderedJson> scaling_of(const Design& design) {
  const auto spec = OrderedJson::parse(design.spec);
  if (!has_products(design) || !design.rotates() || !spec.contains("rope_scaling") ||
      !design.tuning.empty()) {
    return std::nullopt;
  }
  return spec;
}

/// Gives the design the frequencies and the amplitude of another spec.
void compute_another(Design& design, const OrderedJson& spec) {
  const auto encoding = encoding_of(spec.dump());
  const auto table = encoding->all<TrigTable>().front();
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    design.frequencies[pair] =
        round_to(design.compute, table.frequencies.approximate(static_cast<int>(pair)));
  }
  design.amplitude = round_to(design.compute, approximately(table.amplitude));
}

std::optional<Planted> ignored(Draw&, Design& design) {
  auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  spec->erase("rope_scaling");
  spec->erase("sequence_length");
  compute_another(design, *spec);
  return Planted{"the unscaled frequencies", {greatest_position(design)}};
}

std::optional<Planted> twice(Draw&, Design& design) {
  auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  spec->erase("rope_scaling");
  spec->erase("sequence_length");
  const auto plain = encoding_of(spec->dump())->all<TrigTable>().front();
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    const double once = design.frequencies[pair] / plain.frequencies.approximate(static_cast<int>(pair));
    design.frequencies[pair] = round_to(design.compute, design.frequencies[pair] * once);
  }
  design.amplitude = round_to(design.compute, design.amplitude * design.amplitude);
  return Planted{"applied to what is scaled", {greatest_position(design)}};
}

std::optional<Planted> other_parameter(Draw& draw, Design& design) {
  auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  auto& scaling = (*spec)["rope_scaling"];
  std::vector<std::string> keys;
  for (const auto* key : {"factor", "alpha", "original_max_position_embeddings", "high_freq_factor"}) {
    if (scaling.contains(key)) {
      keys.emplace_back(key);
    }
  }
  if (keys.empty() || scaling["rope_type"] == "longrope") {
    return std::nullopt;
  }
  const auto& key = draw.any_of(keys);
  const double before = scaling[key].get<double>();
  const bool whole = key == "original_max_position_embeddings";
  scaling[key] = whole ? OrderedJson(static_cast<std::int64_t>(before) * 2)
                       : OrderedJson(std::round(before * draw.one_of({1.5, 2.0, 1.25}) * 100) / 100);
  const auto words = key + " " + scaling[key].dump() + " for " + number(before);
  compute_another(design, *spec);
  return Planted{words, {greatest_position(design)}};
}

std::optional<Planted> longrope_other_list(Draw&, Design& design) {
  auto spec = scaling_of(design);
  if (!spec || (*spec)["rope_scaling"]["rope_type"] != "longrope") {
    return std::nullopt;
  }
  auto& scaling = (*spec)["rope_scaling"];
  std::swap(scaling["short_factor"], scaling["long_factor"]);
  compute_another(design, *spec);
  return Planted{"short for long", {greatest_position(design)}};
}

std::optional<Planted> amplitude_missing(Draw& draw, Design& design) {
  if (!has_products(design) || design.amplitude == 1) {
    return std::nullopt;
  }
  const bool squared = draw.chance(0.4);
  design.amplitude = squared ? round_to(design.compute, design.amplitude * design.amplitude) : 1;
  return Planted{squared ? "applied twice" : "left out"};
}

std::optional<Planted> amplitude_off(Draw& draw, Design& design) {
  if (!has_products(design)) {
    return std::nullopt;
  }
  const double share = draw.sign() * draw.spread(1e-3, 0.5);
  design.amplitude = round_to(design.compute, design.amplitude * (1 + share));
  return Planted{"by " + number(share)};
}

}  // namespace

std::span<const Fault> scaling_faults() {
  static const std::array all{
      Fault{"scaling/ignored", "the scaling is left out", Shows::values, ignored},
      Fault{"scaling/twice", "the scaling is applied twice", Shows::values, twice},
      Fault{"scaling/parameter", "the scaling has another parameter", Shows::values, other_parameter},
      Fault{"scaling/other-list",
            "LongRoPE's short factors for the long ones, or the other way round",
            Shows::values,
            longrope_other_list,
            {"frequency/other-list"}},
      Fault{"scaling/amplitude", "the amplitude is left out or applied twice", Shows::values,
            amplitude_missing},
      Fault{"values/amplitude",
            "every value is too large or too small",
            Shows::values,
            amplitude_off,
            {"amplitude/factor"}},
  };
  return all;
}

}  // namespace vernier::rates
