// Faults within the formulas of RoPE's scalings, as they were published in libraries.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "reports/rates/fault.hpp"

namespace vernier::rates {
namespace {

/// A scaling, with what its formula needs.
struct Scaled {
  OrderedJson spec;
  OrderedJson scaling;
  std::string type;
  double base = 0;
  double width = 0;           ///< of the part that rotates
  std::vector<double> plain;  ///< the frequencies that it scales
};

std::optional<Scaled> scaled_of(const Design& design) {
  const auto spec = OrderedJson::parse(design.spec);
  if (!has_products(design) || !design.rotates() || !spec.contains("rope_scaling") ||
      !design.tuning.empty()) {
    return std::nullopt;
  }
  Scaled result{spec,
                spec["rope_scaling"],
                spec["rope_scaling"]["rope_type"],
                spec["rope_theta"].get<double>(),
                static_cast<double>(2 * design.frequencies.size()),
                {}};
  for (std::size_t pair = 0; pair < design.frequencies.size(); ++pair) {
    result.plain.push_back(std::pow(result.base, -2 * static_cast<double>(pair) / result.width));
  }
  return result;
}

void set_frequencies(Design& design, const std::vector<double>& frequencies) {
  std::ranges::transform(frequencies, design.frequencies.begin(),
                         [&](double w) { return round_to(design.compute, w); });
}

/// YaRN's formula, with its faults.
struct Yarn {
  double original = 0;
  double fast = 32;
  double slow = 1;
  bool truncates = true;
  bool knows_pi = true;
  bool is_inverse = false;
  double greatest = 0;  ///< where the upper end is held

  std::vector<double> frequencies(const Scaled& of) const {
    const auto pair_that_turns = [&](double times) {
      const double turn = knows_pi ? 2 * std::numbers::pi : 1;
      return of.width * std::log(original / (times * turn)) / (2 * std::log(of.base));
    };
    double low = pair_that_turns(fast);
    double high = pair_that_turns(slow);
    if (truncates) {
      low = std::floor(low);
      high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, greatest);
    high += low == high ? 0.001 : 0;
    const auto factor = of.scaling["factor"].get<double>();
    std::vector<double> result;
    for (std::size_t pair = 0; pair < of.plain.size(); ++pair) {
      const double ramp = std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
      const double divided = is_inverse ? 1 - ramp : ramp;
      result.push_back(of.plain[pair] * (1 - divided + divided / factor));
    }
    return result;
  }
};

std::optional<std::pair<Scaled, Yarn>> yarn_of(const Design& design) {
  auto of = scaled_of(design);
  if (!of || of->type != "yarn") {
    return std::nullopt;
  }
  Yarn yarn{.original = of->scaling["original_max_position_embeddings"].get<double>(),
            .truncates = of->scaling.value("truncate", true),
            .greatest = of->width - 1};
  return std::pair(std::move(*of), yarn);
}

template <class Change>
std::optional<Planted> yarn_with(Design& design, std::string words, Change change) {
  auto found = yarn_of(design);
  if (!found) {
    return std::nullopt;
  }
  change(found->second, found->first);
  set_frequencies(design, found->second.frequencies(found->first));
  return Planted{std::move(words), {greatest_position(design)}};
}

std::optional<Planted> yarn_inverse(Draw&, Design& design) {
  return yarn_with(design, "the ramp falls", [](Yarn& yarn, const Scaled&) { yarn.is_inverse = true; });
}

std::optional<Planted> yarn_truncation(Draw&, Design& design) {
  const auto found = yarn_of(design);
  const bool truncates = found && found->second.truncates;
  return yarn_with(design, truncates ? "not rounded" : "rounded, though truncate is false",
                   [](Yarn& yarn, const Scaled&) { yarn.truncates = !yarn.truncates; });
}

std::optional<Planted> yarn_without_pi(Draw&, Design& design) {
  return yarn_with(design, "ln(n/x) for ln(n/(2 pi x))",
                   [](Yarn& yarn, const Scaled&) { yarn.knows_pi = false; });
}

std::optional<Planted> yarn_of_extended_length(Draw&, Design& design) {
  return yarn_with(design, "the extended length for the original one",
                   [](Yarn& yarn, const Scaled& of) { yarn.original *= of.scaling["factor"].get<double>(); });
}

std::optional<Planted> yarn_clamp(Draw&, Design& design) {
  return yarn_with(design, "at d/2 - 1",
                   [](Yarn& yarn, const Scaled& of) { yarn.greatest = of.width / 2 - 1; });
}

std::optional<Planted> yarn_turns(Draw& draw, Design& design) {
  const double fast = draw.one_of({16.0, 64.0, 8.0});
  return yarn_with(design, "beta_fast " + number(fast) + " for 32",
                   [fast](Yarn& yarn, const Scaled&) { yarn.fast = fast; });
}

/// DeepSeek's keys: the amplitude is the quotient of two, and people take one, or none.
std::optional<Planted> yarn_mscale(Draw& draw, Design& design) {
  const auto of = scaled_of(design);
  if (!of || of->type != "yarn" || !of->scaling.contains("mscale")) {
    return std::nullopt;
  }
  const double growth = 0.1 * std::log(of->scaling["factor"].get<double>());
  const bool ignores = draw.chance(0.5);
  design.amplitude =
      round_to(design.compute, 1 + growth * (ignores ? 1 : of->scaling["mscale_all_dim"].get<double>()));
  return Planted{ignores ? "both are ignored" : "mscale_all_dim alone"};
}

std::optional<Planted> llama3_wavelengths(Draw&, Design& design) {
  const auto of = scaled_of(design);
  if (!of || of->type != "llama3") {
    return std::nullopt;
  }
  const auto factor = of->scaling["factor"].get<double>();
  const auto low = of->scaling["low_freq_factor"].get<double>();
  const auto high = of->scaling["high_freq_factor"].get<double>();
  const auto original = of->scaling["original_max_position_embeddings"].get<double>();
  std::vector<double> frequencies;
  for (const double w : of->plain) {
    const double turns = original * w / (2 * std::numbers::pi);
    const double kept = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    // The wavelength is blended, not the frequency.
    frequencies.push_back(w / ((1 - kept) * factor + kept));
  }
  set_frequencies(design, frequencies);
  return Planted{"between the two thresholds", {greatest_position(design)}};
}

std::optional<Planted> longrope_multiplied(Draw&, Design& design) {
  const auto of = scaled_of(design);
  if (!of || of->type != "longrope") {
    return std::nullopt;
  }
  std::vector<double> frequencies;
  for (std::size_t pair = 0; pair < of->plain.size(); ++pair) {
    frequencies.push_back(of->plain[pair] * of->plain[pair] / design.frequencies[pair]);
  }
  set_frequencies(design, frequencies);
  return Planted{"where they should be divided", {greatest_position(design)}};
}

/// The base times alpha, without the exponent d/(d - 2) that keeps the last pair.
std::optional<Planted> ntk_plain(Draw&, Design& design) {
  const auto of = scaled_of(design);
  if (!of || (of->type != "ntk" && !of->type.starts_with("dynamic")) || design.frequencies.size() < 3) {
    return std::nullopt;
  }
  const double last = of->plain.back() / design.frequencies.back();
  std::vector<double> frequencies;
  for (std::size_t pair = 0; pair < of->plain.size(); ++pair) {
    frequencies.push_back(of->plain[pair] * std::pow(last, -2 * static_cast<double>(pair) / of->width));
  }
  set_frequencies(design, frequencies);
  return Planted{"without the power d/(d - 2)", {greatest_position(design)}};
}

}  // namespace

std::span<const Fault> scaling_variant_faults() {
  static const std::vector<std::string_view> of_range{"frequency/scaling-variant",
                                                      "frequency/scaling-parameter"};
  static const std::array all{
      Fault{"scaling/yarn-inverse", "YaRN's ramp falls where it should rise", Shows::values, yarn_inverse,
            of_range, "yarn"},
      Fault{"scaling/yarn-truncation", "YaRN's correction range is rounded, or not, against its key",
            Shows::values, yarn_truncation, of_range, "yarn"},
      Fault{"scaling/yarn-pi", "YaRN's correction range lacks 2 pi", Shows::values, yarn_without_pi, of_range,
            "yarn"},
      Fault{"scaling/yarn-length", "YaRN's correction range is that of the extended length", Shows::values,
            yarn_of_extended_length, of_range, "yarn"},
      Fault{"scaling/yarn-clamp", "YaRN's correction range is held below half the width", Shows::values,
            yarn_clamp, of_range, "yarn"},
      Fault{"scaling/yarn-turns", "YaRN's ramp begins at other turns", Shows::values, yarn_turns, of_range,
            "yarn"},
      Fault{"scaling/yarn-mscale",
            "keys of YaRN's amplitude are ignored",
            Shows::values,
            yarn_mscale,
            {"amplitude/factor", "amplitude/left-out", "amplitude/twice", "frequency/scaling-parameter"},
            "yarn"},
      Fault{"scaling/llama3-wavelengths", "Llama 3's wavelengths are blended, not the frequencies",
            Shows::values, llama3_wavelengths, of_range, "llama3"},
      Fault{"scaling/longrope-multiplied",
            "LongRoPE's factors multiply",
            Shows::values,
            longrope_multiplied,
            {"frequency/scaling-variant", "frequency/other-list"},
            "longrope"},
      Fault{"scaling/ntk-power",
            "NTK's base grows by alpha itself",
            Shows::values,
            ntk_plain,
            {"frequency/scaling-variant", "frequency/scaling-parameter", "frequency/base",
             "frequency/exponent"},
            "ntk"},
  };
  return all;
}

}  // namespace vernier::rates
