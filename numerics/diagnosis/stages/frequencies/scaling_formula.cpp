// RoPE scalings by another formula.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/scaling_spec.hpp"

namespace vernier {
namespace {

/// The unscaled frequencies w0 beside the scaled ones, and the factor.
struct ScaledClues {
  std::vector<Tone> unscaled;
  long double factor;
};

std::optional<ScaledClues> scaled_clues(const Clues& clues) {
  const auto scaling = scaling_of(clues);
  if (!scaling.is_object()) {
    return std::nullopt;
  }
  const auto without = unscaled(clues);
  if (!without) {
    return std::nullopt;
  }
  return ScaledClues{without->tones, number_at(scaling, "factor").value_or(1)};
}

/// \param formula of the unscaled and the scaled frequency, and the factor
void propose_formula(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                     Proposals& out,
                     long double (*formula)(long double unscaled, long double scaled, long double factor)) {
  if (const auto of = scaled_clues(clues)) {
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

void propose_scaling_twice(const Clues& clues, const FaultKind& kind, Proposals& out) {
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
  const auto of = scaled_clues(clues);
  const auto spec = clues.suspect.encoding().spec();
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
  const auto of = scaled_clues(clues);
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

}  // namespace

StageEdits scaling_formula_edits() {
  return {{"frequency/scaling-twice", propose_scaling_twice}, {"frequency/scaling-variant", propose_variant}};
}

}  // namespace vernier
