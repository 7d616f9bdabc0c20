// Faults of RoPE's scalings: the design computes another encoding than its spec says.

#include <array>
#include <cmath>

#include "props/specs.hpp"
#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

/// The spec's scaling, if there is one that a fault can spoil.
std::optional<OrderedJson> scaling_of(const Design& design) {
  auto spec = OrderedJson::parse(design.spec);
  if (!has_products(design) || !design.rotates() || !spec.contains("rope_scaling") ||
      !design.tuning.empty()) {
    return std::nullopt;
  }
  return spec;
}

/// What names a fault of a scaling rightly, beside its own name: another factor of positions where the
/// scaling is one, another base where it is that, another amplitude where that changes.
std::vector<std::string_view> names_for(const OrderedJson& spec, std::string_view own,
                                        bool changes_amplitude) {
  std::vector<std::string_view> names{own, "frequency/scaling-parameter"};
  const auto type = spec["rope_scaling"]["rope_type"].get<std::string>();
  if (type == "linear") {
    names.insert(names.end(), {"frequency/factor", "position/scaled"});
  } else if (type.starts_with("dynamic") || type == "ntk") {
    names.insert(names.end(), {"frequency/base", "frequency/exponent"});
  }
  if (changes_amplitude) {
    names.insert(names.end(), {"amplitude/factor", "amplitude/left-out", "amplitude/twice"});
  }
  return names;
}

/// Plants another spec. \param own the name of the fault
Planted planted_spec(Design& design, const OrderedJson& spec, const OrderedJson& honest, std::string words,
                     std::string_view own) {
  const double before = design.amplitude;
  compute_another(design, spec);
  return {std::move(words), {greatest_position(design)}, names_for(honest, own, design.amplitude != before)};
}

std::optional<Planted> ignored(Draw&, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  auto plain = *spec;
  plain.erase("rope_scaling");
  plain.erase("sequence_length");
  return planted_spec(design, plain, *spec, "the unscaled frequencies", "frequency/scaling-ignored");
}

std::optional<Planted> scaled_twice(Draw&, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  auto unscaled = *spec;
  unscaled.erase("rope_scaling");
  unscaled.erase("sequence_length");
  const auto plain = encoding_of(unscaled.dump())->plain_tables().front();
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    const double once = design.frequencies[pair] / plain.frequencies.approximate(static_cast<int>(pair));
    design.frequencies[pair] = round_to(design.compute, design.frequencies[pair] * once);
  }
  const bool has_amplitude = design.amplitude != 1;
  design.amplitude = round_to(design.compute, design.amplitude * design.amplitude);
  return Planted{"applied to what is scaled",
                 {greatest_position(design)},
                 names_for(*spec, "frequency/scaling-twice", has_amplitude)};
}

std::optional<Planted> inverted(Draw&, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec || (*spec)["rope_scaling"]["rope_type"] != "linear") {
    return std::nullopt;
  }
  const auto factor = (*spec)["rope_scaling"]["factor"].get<double>();
  for (auto& frequency : design.frequencies) {
    frequency = round_to(design.compute, frequency * factor * factor);
  }
  return Planted{"positions times " + number(factor),
                 {greatest_position(design)},
                 names_for(*spec, "frequency/scaling-variant", false)};
}

std::optional<Planted> other_parameter(Draw& draw, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec) {
    return std::nullopt;
  }
  auto other = *spec;
  auto& scaling = other["rope_scaling"];
  std::vector<std::string> keys;
  for (const auto* key :
       {"factor", "alpha", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"}) {
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
  auto words = key + " " + scaling[key].dump() + " for " + number(before);
  return planted_spec(design, other, *spec, std::move(words), "frequency/scaling-parameter");
}

/// Dynamic NTK that takes the length of the whole context for every request, or another.
std::optional<Planted> other_length(Draw& draw, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec || !(*spec)["rope_scaling"]["rope_type"].get<std::string>().starts_with("dynamic")) {
    return std::nullopt;
  }
  auto other = *spec;
  const auto times = draw.one_of<std::int64_t>({2, 4, 8});
  other["sequence_length"] = (*spec)["sequence_length"].get<std::int64_t>() * times;
  return planted_spec(design, other, *spec, "for a length " + std::to_string(times) + " times as great",
                      "frequency/scaling-parameter");
}

std::optional<Planted> longrope_other_list(Draw&, Design& design) {
  const auto spec = scaling_of(design);
  if (!spec || (*spec)["rope_scaling"]["rope_type"] != "longrope") {
    return std::nullopt;
  }
  auto other = *spec;
  std::swap(other["rope_scaling"]["short_factor"], other["rope_scaling"]["long_factor"]);
  return planted_spec(design, other, *spec, "short for long", "frequency/other-list");
}

std::optional<Planted> amplitude_missing(Draw& draw, Design& design) {
  if (!has_products(design) || design.amplitude == 1) {
    return std::nullopt;
  }
  const bool squared = draw.chance(0.4);
  design.amplitude = squared ? round_to(design.compute, design.amplitude * design.amplitude) : 1;
  return Planted{squared ? "applied twice" : "left out",
                 {},
                 {squared ? "amplitude/twice" : "amplitude/left-out", "amplitude/factor"}};
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
      Fault{"scaling/ignored", "the scaling is left out", Shows::values, ignored, {}, "scaling"},
      Fault{"scaling/twice", "the scaling is applied twice", Shows::values, scaled_twice, {}, "scaling"},
      Fault{"scaling/inverted",
            "positions are multiplied where they should be divided",
            Shows::values,
            inverted,
            {},
            "linear"},
      Fault{"scaling/parameter",
            "the scaling has another parameter",
            Shows::values,
            other_parameter,
            {},
            "scaling"},
      Fault{"scaling/length",
            "dynamic NTK by another length than the sequence has",
            Shows::values,
            other_length,
            {},
            "dynamic"},
      Fault{"scaling/other-list",
            "LongRoPE's short factors for the long ones, or the other way round",
            Shows::values,
            longrope_other_list,
            {},
            "longrope"},
      Fault{"scaling/amplitude",
            "the amplitude is left out or applied twice",
            Shows::values,
            amplitude_missing,
            {},
            "scaling"},
      Fault{"values/amplitude",
            "every value is too large or too small",
            Shows::values,
            amplitude_off,
            {"amplitude/factor"}},
  };
  return all;
}

}  // namespace vernier::rates
