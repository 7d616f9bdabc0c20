// RoPE scalings with other parameters, or none.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/scaling_spec.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array scaling_ignored_bugs{"ggml-org/llama.cpp #8676"sv, "NVIDIA/TensorRT-LLM #1676"sv,
                                          "unslothai/unsloth #6197"sv};
constexpr std::array scaling_parameter_bugs{"vllm-project/vllm #27722"sv, "sgl-project/sglang #14270"sv,
                                            "TransformerLensOrg/TransformerLens #910"sv};
constexpr std::array scaling_list_bugs{"EricLBuehler/mistral.rs #251"sv, "ggml-org/llama.cpp #24875"sv};

constexpr FaultKind scaling_ignored{
    .id = "frequency/scaling-ignored",
    .stage = Stage::frequency,
    .title = "the scaling is left out",
    .means =
        "Up to the length of the first training all looks well; beyond it the model meets phases that it "
        "never saw, and breaks down.",
    .advice = "Look for where rope_scaling (or rope_parameters) is read, and whether the layer gets it.",
    .similar = scaling_ignored_bugs};
constexpr FaultKind scaling_parameter{
    .id = "frequency/scaling-parameter",
    .stage = Stage::frequency,
    .title = "the scaling has another parameter",
    .means = "The pairs of the ramp, or all slow ones, turn at other speeds than the model learned.",
    .advice =
        "Compare the keys of rope_scaling with what the code reads: a default, another key's value, or "
        "the extended context in place of the original one.",
    .similar = scaling_parameter_bugs};
constexpr FaultKind scaling_other_list{
    .id = "frequency/other-list",
    .stage = Stage::frequency,
    .title = "the factors are those for sequences of another length",
    .means = "Slow pairs are off by up to the quotient of the two lists, which is tens.",
    .advice =
        "Look for what decides between short_factor and long_factor: the context that is served, not "
        "the length of one prompt or the offset of a block.",
    .similar = scaling_list_bugs};

using Json = OrderedJson;

void propose_ignored(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto without = unscaled(clues);
  if (!without) {
    return;
  }
  const auto patch = removal("rope_scaling");
  const bool has_amplitude = without->amplitude != clues.base.amplitude;
  propose_frequencies(
      clues, kind,
      has_amplitude ? "neither frequencies nor amplitude are scaled" : "the frequencies are not scaled",
      flag_bits, patch, out, true);
  if (has_amplitude) {
    propose_frequencies(clues, kind, "the frequencies are not scaled, though the amplitude is", flag_bits + 1,
                        patch, out);
  }
}

/// The factor by which the slowest measured pair is slower than unscaled.
std::optional<double> measured_scaling_factor(const Clues& clues) {
  const auto without = unscaled(clues);
  if (!without) {
    return std::nullopt;
  }
  for (auto i = clues.recovery.phasors.size(); i-- > 0;) {
    const auto& phasor = clues.recovery.phasors[i];
    if (phasor && phasor->frequency > 16 * phasor->uncertainty) {
      const double factor = without->frequency(static_cast<int>(i)) / phasor->frequency;
      return shortest_decimal(factor, 4 * phasor->uncertainty / phasor->frequency + 4e-6);
    }
  }
  return std::nullopt;
}

/// Usual values of a key.
std::set<double> usual_values(const Clues& clues, const std::string& key, double declared) {
  std::set<double> values{2 * declared, declared / 2, 4 * declared, declared / 4, declared + 1, declared - 1};
  const auto also = [&](std::initializer_list<double> more) { values.insert(more); };
  if (key == "factor") {
    also({1, 2, 3, 4, 8, 10, 16, 32, 40, 1 / declared, declared * declared, std::sqrt(declared)});
    if (const auto measured = measured_scaling_factor(clues)) {
      values.insert(*measured);
    }
  } else if (key == "beta_fast" || key == "beta_slow" || key == "low_freq_factor" ||
             key == "high_freq_factor" || key == "alpha" || key == "beta") {
    also({0.5, 0.75, 1, 1.25, 2, 4, 8, 16, 24, 32, 48, 64, declared * 2 * std::numbers::pi,
          declared / (2 * std::numbers::pi)});
  } else if (key == "original_max_position_embeddings") {
    also(
        {2048, 4096, 8192, 16384, 32768, 65536, 131072, 163840, 262144, 1048576, declared * 8, declared / 8});
    const auto scaling = scaling_of(clues);
    if (const auto factor = number_at(scaling, "factor")) {
      also({declared * *factor, declared / *factor});
    }
    const auto spec = clues.suspect.encoding().spec();
    if (const auto context = number_at(spec, "max_position_embeddings")) {
      values.insert(*context);
    }
  }
  values.erase(declared);
  return values;
}

/// How far the frequencies of a spec are from the measured ones: the sum of the squared logarithms of their
/// quotients.
double misfit(const Clues& clues, const Json& patch) {
  const auto other = clues.suspect.frequencies_by(patch);
  if (!other || other->size() != clues.base.tones.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    const double w = (*other)[i];
    if (phasor && phasor->frequency > 16 * phasor->uncertainty && w > 0) {
      const double distance = std::log(phasor->frequency / w);
      sum += distance * distance;
    }
  }
  return sum;
}

/// The value of a key that fits the measured frequencies best, if they are off from the declared ones: the
/// best of an octave's sixteenths over five octaves either way, then by golden sections.
std::optional<double> fitted_value(const Clues& clues, const std::string& path, double declared,
                                   bool is_whole) {
  const auto at = [&](double logarithm) {
    const double value = declared * std::exp2(logarithm);
    return misfit(clues, replacement(path, is_whole ? Json(std::llround(value)) : Json(value)));
  };
  double best = 0;
  double least = at(0);
  if (!(least > 1e-9)) {
    return std::nullopt;
  }
  for (int quarters = -20; quarters <= 20; ++quarters) {
    const double step = 0.25 * quarters;
    const double one = at(step);
    if (one < least) {
      least = one;
      best = step;
    }
  }
  constexpr double golden = 0.6180339887498949;
  double a = best - 0.25;
  double b = best + 0.25;
  double c = b - golden * (b - a);
  double d = a + golden * (b - a);
  double at_c = at(c);
  double at_d = at(d);
  for (int i = 0; i < 24; ++i) {
    if (at_c < at_d) {
      b = d;
      d = c;
      at_d = at_c;
      c = b - golden * (b - a);
      at_c = at(c);
    } else {
      a = c;
      c = d;
      at_c = at_d;
      d = a + golden * (b - a);
      at_d = at(d);
    }
  }
  const double value = declared * std::exp2((a + b) / 2);
  if (is_whole) {
    return std::round(value);
  }
  return shortest_decimal(value, 2e-5);
}

void propose_parameter(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto scaling = scaling_of(clues);
  if (!scaling.is_object()) {
    return;
  }
  const auto propose = [&](const std::string& path, const std::string& name, const Json& found,
                           const Json& declared, double bits) {
    propose_rescaled(clues, kind, fmt::format("{} is {}, not {}", name, found.dump(), declared.dump()), bits,
                     replacement(path, found), out);
  };
  const bool is_measured = clues.recovery.is_coherent();
  for (const auto& [key, declared] : scaling.items()) {
    const auto path = "rope_scaling/" + key;
    if (declared.is_boolean()) {
      propose(path, key, !declared.get<bool>(), declared, flag_bits);
    } else if (key == "clamp") {
      propose(path, key, declared == "pairs" ? "rotary_dim" : "pairs", declared, flag_bits);
    } else if (declared.is_number()) {
      const auto value = declared.get<double>();
      auto values = usual_values(clues, key, value);
      if (is_measured && key != "attention_factor" && !key.starts_with("mscale")) {
        if (const auto fitted = fitted_value(clues, path, value, key.starts_with("original"))) {
          values.insert(*fitted);
        }
      }
      for (const double other : values) {
        if (other > 0 && other != value) {
          propose(path, key, json_number(other), declared, 2 + number_bits(other));
        }
      }
    }
  }
  const auto swap = [&](const char* one, const char* other) {
    const auto a = number_at(scaling, one);
    const auto b = number_at(scaling, other);
    if (a && b && *a != *b) {
      Json patch = replacement(std::string("rope_scaling/") + one, scaling.at(other));
      patch.push_back(replacement(std::string("rope_scaling/") + other, scaling.at(one))[0]);
      propose_rescaled(clues, kind, fmt::format("{} and {} are exchanged", one, other), variant_bits, patch,
                       out);
    }
  };
  swap("beta_fast", "beta_slow");
  swap("low_freq_factor", "high_freq_factor");
  const auto spec = clues.suspect.encoding().spec();
  if (const auto length = number_at(spec, "sequence_length")) {
    std::set<double> lengths;
    for (const double by : {2.0, 4.0, 8.0, 16.0}) {
      lengths.insert({*length * by, *length / by});
    }
    if (is_measured) {
      if (const auto fitted = fitted_value(clues, "sequence_length", *length, true)) {
        lengths.insert(*fitted);
      }
    }
    for (const auto* key : {"max_position_embeddings"}) {
      if (const auto context = number_at(spec, key)) {
        lengths.insert(*context);
      }
    }
    if (const auto original = number_at(scaling, "original_max_position_embeddings")) {
      lengths.insert({*original, *original + 1});
    }
    if (const auto factor = number_at(scaling, "factor")) {
      lengths.insert(*length * *factor);
    }
    lengths.erase(*length);
    std::erase_if(lengths, [](double one) { return one < 1; });
    for (const double other : lengths) {
      propose("sequence_length", "the sequence length that decides", json_number(std::round(other)),
              spec.at("sequence_length"), listed_bits);
    }
  }
  if (const auto type = scaling.value("rope_type", std::string()); scaling.contains("factor")) {
    for (const auto* other : {"linear", "dynamic", "ntk", "yarn", "llama3"}) {
      if (type != other) {
        Json replaced = scaling;
        replaced["rope_type"] = other;
        propose_rescaled(clues, kind, fmt::format("the scaling is {}, not {}", other, type), variant_bits,
                         replacement("rope_scaling", replaced), out);
        propose_rescaled(
            clues, kind, fmt::format("the scaling is {}, not {}", other, type), variant_bits,
            replacement("rope_scaling", Json{{"rope_type", other}, {"factor", scaling.at("factor")}}), out);
      }
    }
  }
}

/// The other list belongs to lengths on the other side of the original context.
void propose_other_list(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto scaling = scaling_of(clues);
  const auto length = clues.suspect.encoding().sequence_length();
  const auto original = number_at(scaling, "original_max_position_embeddings");
  if (!scaling.contains("short_factor") || !scaling.contains("long_factor") || !length || !original) {
    return;
  }
  const auto trained = static_cast<std::int64_t>(*original);
  const bool is_short = *length <= trained;
  const auto context = number_at(clues.suspect.encoding().spec(), "max_position_embeddings");
  const auto beyond = std::max(trained + 1, static_cast<std::int64_t>(context.value_or(0)));
  propose_rescaled(clues, kind,
                   fmt::format("the factors are those for sequences {} {}, and this one has length {}",
                               is_short ? "longer than" : "of at most", trained, *length),
                   flag_bits, replacement("sequence_length", is_short ? beyond : trained), out);
}

}  // namespace

StageEdits scaling_edits() {
  return {{&scaling_ignored, propose_ignored},
          {&scaling_parameter, propose_parameter},
          {&scaling_other_list, propose_other_list}};
}

}  // namespace vernier
