// What RoPE scalings make of the frequencies.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array scaling_ignored_bugs{"ggml-org/llama.cpp #8676"sv, "NVIDIA/TensorRT-LLM #1676"sv,
                                          "unslothai/unsloth #6197"sv};
constexpr std::array scaling_parameter_bugs{"vllm-project/vllm #27722"sv, "sgl-project/sglang #14270"sv,
                                            "TransformerLensOrg/TransformerLens #910"sv};
constexpr std::array scaling_twice_bugs{"NVIDIA/TensorRT-LLM #16378"sv};
constexpr std::array scaling_variant_bugs{"Lightning-AI/litgpt #2202"sv, "keras-team/keras-hub #2981"sv,
                                          "ml-explore/mlx-examples #907"sv};
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
constexpr FaultKind scaling_twice{
    .id = "frequency/scaling-twice",
    .stage = Stage::frequency,
    .title = "the scaling is applied twice",
    .means = "Slow pairs turn too slowly by the factor once more.",
    .advice =
        "Look for frequencies that are scaled when they are read and again when "
        "they are used.",
    .similar = scaling_twice_bugs};
constexpr FaultKind scaling_variant{
    .id = "frequency/scaling-variant",
    .stage = Stage::frequency,
    .title = "the formula of the scaling is another one",
    .means = "The pairs of the ramp turn at other speeds than the model learned.",
    .advice =
        "Compare the code with the formula line by line: which side of the ramp is scaled, how its ends "
        "are rounded and clamped, what is blended.",
    .similar = scaling_variant_bugs};
constexpr FaultKind scaling_other_list{
    .id = "frequency/other-list",
    .stage = Stage::frequency,
    .title = "the factors for short and for long sequences are exchanged",
    .means = "Slow pairs are off by up to the quotient of the two lists, which is tens.",
    .advice =
        "Look for what decides between short_factor and long_factor: the context that is served, not "
        "the length of one prompt or the offset of a block.",
    .similar = scaling_list_bugs};

using Json = OrderedJson;

/// The scaling of the spec, or null.
Json scaling_of(const Clues& clues) {
  const auto spec = clues.subject.encoding().spec();
  return spec.contains("rope_scaling") ? spec.at("rope_scaling") : Json(nullptr);
}

std::optional<double> number_at(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_number() ? std::optional(object.at(key).get<double>())
                                                            : std::nullopt;
}

/// With the amplitude that goes with it, and without.
void propose_both(const Clues& clues, const FaultKind& kind, const std::string& sentence, double bits,
                  const Json& patch, Proposals& out) {
  propose_frequencies(clues, kind, sentence, bits, patch, out, true);
  if (!out.empty() && out.back().finding.sentence == sentence &&
      out.back().computation.amplitude != clues.base.amplitude) {
    propose_frequencies(clues, kind, sentence + ", with the declared amplitude", bits + 2, patch, out);
  }
}

void propose_ignored(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (scaling_of(clues).is_null()) {
    return;
  }
  const Json patch = Json::array({{{"op", "remove"}, {"path", "/rope_scaling"}}});
  const auto unscaled = clues.subject.declared_by(patch);
  if (!unscaled || unscaled->tones.size() != clues.base.tones.size()) {
    return;
  }
  const bool has_amplitude = unscaled->amplitude != clues.base.amplitude;
  propose_frequencies(
      clues, kind,
      has_amplitude ? "neither frequencies nor amplitude are scaled" : "the frequencies are not scaled",
      flag_bits, patch, out, true);
  if (has_amplitude) {
    propose_frequencies(clues, kind, "the frequencies are not scaled, though the amplitude is", flag_bits + 1,
                        patch, out);
  }
}

Json json_number(double value) {
  return value == std::rint(value) && std::fabs(value) < 1e15 ? Json(static_cast<std::int64_t>(value))
                                                              : Json(value);
}

/// The factor by which the slowest measured pair is slower than unscaled.
std::optional<double> measured_factor(const Clues& clues) {
  const auto unscaled =
      clues.subject.declared_by(Json::array({{{"op", "remove"}, {"path", "/rope_scaling"}}}));
  if (!unscaled || unscaled->tones.size() != clues.base.tones.size()) {
    return std::nullopt;
  }
  for (auto i = clues.recovery.phasors.size(); i-- > 0;) {
    const auto& phasor = clues.recovery.phasors[i];
    if (phasor && phasor->frequency > 16 * phasor->uncertainty) {
      const double factor = unscaled->frequency(static_cast<int>(i)) / phasor->frequency;
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
    if (const auto measured = measured_factor(clues)) {
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
    const auto spec = clues.subject.encoding().spec();
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
  const auto other = clues.subject.frequencies_by(patch);
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
    return misfit(clues, replacing(path, is_whole ? Json(std::llround(value)) : Json(value)));
  };
  double best = 0;
  double least = at(0);
  if (!(least > 1e-9)) {
    return std::nullopt;
  }
  for (double step = -5; step <= 5; step += 0.25) {
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
    propose_both(clues, kind, fmt::format("{} is {}, not {}", name, found.dump(), declared.dump()), bits,
                 replacing(path, found), out);
  };
  const bool is_measured = clues.recovery.is_coherent();
  for (const auto& [key, declared] : scaling.items()) {
    const auto path = "/rope_scaling/" + key;
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
      Json patch = replacing(std::string("/rope_scaling/") + one, scaling.at(other));
      patch.push_back(replacing(std::string("/rope_scaling/") + other, scaling.at(one))[0]);
      propose_both(clues, kind, fmt::format("{} and {} are exchanged", one, other), variant_bits, patch, out);
    }
  };
  swap("beta_fast", "beta_slow");
  swap("low_freq_factor", "high_freq_factor");
  const auto spec = clues.subject.encoding().spec();
  if (const auto length = number_at(spec, "sequence_length")) {
    std::set<double> lengths;
    for (const double by : {2.0, 4.0, 8.0, 16.0}) {
      lengths.insert({*length * by, *length / by});
    }
    if (is_measured) {
      if (const auto fitted = fitted_value(clues, "/sequence_length", *length, true)) {
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
      propose("/sequence_length", "the sequence length that decides", json_number(std::round(other)),
              spec.at("sequence_length"), listed_bits);
    }
  }
  if (const auto type = scaling.value("rope_type", std::string()); scaling.contains("factor")) {
    for (const auto* other : {"linear", "dynamic", "ntk", "yarn", "llama3"}) {
      if (type != other) {
        Json replaced = scaling;
        replaced["rope_type"] = other;
        propose_both(clues, kind, fmt::format("the scaling is {}, not {}", other, type), variant_bits,
                     replacing("/rope_scaling", replaced), out);
        propose_both(clues, kind, fmt::format("the scaling is {}, not {}", other, type), variant_bits,
                     replacing("/rope_scaling", Json{{"rope_type", other}, {"factor", scaling.at("factor")}}),
                     out);
      }
    }
  }
}

/// The unscaled frequencies w0 beside the scaled ones, and the factor.
struct Scaled {
  std::vector<Tone> unscaled;
  long double factor;
};

std::optional<Scaled> scaled(const Clues& clues) {
  const auto scaling = scaling_of(clues);
  if (!scaling.is_object()) {
    return std::nullopt;
  }
  const auto unscaled =
      clues.subject.declared_by(Json::array({{{"op", "remove"}, {"path", "/rope_scaling"}}}));
  if (!unscaled || unscaled->tones.size() != clues.base.tones.size()) {
    return std::nullopt;
  }
  return Scaled{unscaled->tones, number_at(scaling, "factor").value_or(1)};
}

/// \param formula of the unscaled and the scaled frequency, and the factor
void propose_formula(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                     Proposals& out,
                     long double (*formula)(long double unscaled, long double scaled, long double factor)) {
  if (const auto of = scaled(clues)) {
    propose_edit(clues, kind, std::move(sentence), bits, out, [&](Computation& computation) {
      for (std::size_t i = 0; i < computation.tones.size(); ++i) {
        auto& tone = computation.tones[i];
        const auto w = formula(of->unscaled[i].sine, tone.sine, of->factor);
        tone = {w, w};
      }
      computation.allow_computed_frequencies();
    });
  }
}

void propose_twice(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_formula(clues, kind, "the frequencies are scaled twice", flag_bits, out,
                  [](long double w0, long double w, long double) { return w / w0 * w; });
  const auto twice = [](Computation& computation) { computation.amplitude *= computation.amplitude; };
  if (!out.empty() && out.back().finding.kind == &kind && clues.base.amplitude != 1) {
    auto both = out.back();
    both.finding.sentence = "frequencies and amplitude are scaled twice";
    both.bits += 1;
    twice(both.computation);
    out.push_back(std::move(both));
  }
}

/// The ramp of YaRN by another rule for its ends.
void propose_ramps(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto scaling = scaling_of(clues);
  const auto of = scaled(clues);
  const auto spec = clues.subject.encoding().spec();
  const auto original = number_at(scaling, "original_max_position_embeddings");
  const auto fast = number_at(scaling, "beta_fast");
  const auto slow = number_at(scaling, "beta_slow");
  if (!of || !original || !fast || !slow || !spec.contains("rope_theta")) {
    return;
  }
  const auto rotary = 2 * static_cast<long double>(clues.base.tones.size());
  const auto base = spec.at("rope_theta").get<long double>();
  struct Rule {
    std::string_view words;
    bool has_turn;  ///< the 2 pi in the logarithm
    int rounding;   ///< 0 none, 1 floor and ceiling, 2 nearest, 3 toward zero, 4 floor both
    long double width;
    long double greatest;
  };
  const std::array rules{
      Rule{"the correction range is computed without 2 pi", false, 1, rotary, rotary - 1},
      Rule{"the correction range is computed without 2 pi, and not rounded", false, 0, rotary, rotary - 1},
      Rule{"the ends of the correction range are rounded to the nearest pair", true, 2, rotary, rotary - 1},
      Rule{"both ends of the correction range are rounded down", true, 4, rotary, rotary - 1},
      Rule{"the correction range is that of half the width", true, 1, rotary / 2, rotary - 1},
      Rule{"the correction range ends at the last pair, and is not rounded", true, 0, rotary, rotary / 2 - 1},
  };
  for (const auto& rule : rules) {
    const auto end = [&](long double turns) {
      const long double length = rule.has_turn ? 2 * std::numbers::pi_v<long double> * turns : turns;
      return rule.width * std::log(*original / length) / (2 * std::log(base));
    };
    const auto rounded = [&](long double x, bool is_low) {
      switch (rule.rounding) {
        case 1:
          return is_low ? std::floor(x) : std::ceil(x);
        case 2:
          return std::rint(x);
        case 4:
          return std::floor(x);
        default:
          return x;
      }
    };
    const long double low = std::max(rounded(end(*fast), true), 0.0L);
    long double high = std::min(rounded(end(*slow), false), rule.greatest);
    high = high == low ? high + 0.001L : high;
    propose_edit(clues, kind, std::string(rule.words), variant_bits, out, [&](Computation& computation) {
      for (std::size_t i = 0; i < computation.tones.size(); ++i) {
        const long double ramp = std::clamp((static_cast<long double>(i) - low) / (high - low), 0.0L, 1.0L);
        const long double w0 = of->unscaled[i].sine;
        const long double w = w0 * (1 - ramp) + w0 / of->factor * ramp;
        computation.tones[i] = {w, w};
      }
    });
  }
}

/// NTK's base b alpha^(d / (d - 2)) with another power of alpha.
void propose_powers(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto scaling = scaling_of(clues);
  const auto of = scaled(clues);
  const auto pairs = clues.base.tones.size();
  const auto type = scaling.is_object() ? scaling.value("rope_type", std::string()) : std::string();
  const bool is_ntk = type.find("ntk") != std::string::npos || type.find("dynamic") != std::string::npos;
  if (!of || pairs < 2 || !is_ntk) {
    return;
  }
  const auto n = static_cast<long double>(pairs);
  const long double whole = std::log(of->unscaled[1].sine / clues.base.tones[1].sine) * n;
  const long double logarithm = whole * (n - 1) / n;  // ln alpha
  struct Power {
    long double value;
    std::string_view words;
  };
  for (const auto& [value, words] :
       {Power{1, "1"}, Power{(n - 1) / n, "(d - 2)/d"}, Power{2 * n / (2 * n - 1), "d/(d - 1)"}}) {
    propose_edit(clues, kind,
                 fmt::format("the base is multiplied by the factor to the power {}, not d/(d - 2)", words),
                 variant_bits, out, [&, value = value](Computation& computation) {
                   for (std::size_t i = 0; i < pairs; ++i) {
                     const auto w = of->unscaled[i].sine *
                                    std::exp(-logarithm * value * static_cast<long double>(i) / n);
                     computation.tones[i] = {w, w};
                   }
                   computation.allow_computed_frequencies();
                 });
  }
}

void propose_variant(const Clues& clues, const FaultKind& kind, Proposals& out) {
  propose_formula(
      clues, kind, "the ramp is inverted: fast pairs are divided by the factor, slow ones are not",
      variant_bits, out, [](long double w0, long double w, long double s) { return w0 + w0 / s - w; });
  propose_formula(clues, kind, "wavelengths are blended, not frequencies", variant_bits, out,
                  [](long double w0, long double w, long double s) {
                    if (s == 1) {
                      return w;
                    }
                    const long double kept = (w - w0 / s) / (w0 - w0 / s);
                    return w0 / ((1 - kept) * s + kept);
                  });
  propose_formula(clues, kind, "frequencies are multiplied where they should be divided", variant_bits, out,
                  [](long double w0, long double w, long double) { return w0 / w * w0; });
  propose_formula(
      clues, kind, "blended pairs are divided by the whole factor", variant_bits, out,
      [](long double w0, long double w, long double s) { return w < w0 * (1 - 1e-12L) ? w0 / s : w; });
  propose_formula(
      clues, kind, "blended pairs are not scaled", variant_bits, out,
      [](long double w0, long double w, long double s) { return w > w0 / s * (1 + 1e-12L) ? w0 : w; });
  propose_ramps(clues, kind, out);
  propose_powers(clues, kind, out);
}

void propose_other_list(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto scaling = scaling_of(clues);
  if (!scaling.contains("short_factor") || !scaling.contains("long_factor")) {
    return;
  }
  Json patch = replacing("/rope_scaling/short_factor", scaling.at("long_factor"));
  patch.push_back(replacing("/rope_scaling/long_factor", scaling.at("short_factor"))[0]);
  propose_both(clues, kind, "the factors for short and for long sequences are exchanged", flag_bits, patch,
               out);
}

}  // namespace

StageEdits scaling_edits() {
  return {{&scaling_ignored, propose_ignored},
          {&scaling_parameter, propose_parameter},
          {&scaling_twice, propose_twice},
          {&scaling_variant, propose_variant},
          {&scaling_other_list, propose_other_list}};
}

}  // namespace vernier
