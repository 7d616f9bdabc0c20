// What sines and cosines are multiplied by.

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/polish.hpp"
#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// The factor between what is seen and the base, by least squares; of vectors by their norms.
std::optional<double> measured_amplitude_factor(const Clues& clues) {
  double products = 0;
  double squares = 0;
  const Predictor predictor(clues.suspect, clues.base);
  for (const auto row : telling_rows(clues.suspect, 256)) {
    predictor.visit_values(row, [&](const PredictedElement& element) {
      if (element.pair >= 0 && std::isfinite(element.got) && std::isfinite(element.predicted)) {
        products += element.got * element.predicted;
        squares += element.predicted * element.predicted;
      }
    });
  }
  return squares > 0 && products != 0 ? std::optional(products / squares) : std::nullopt;
}

/// That of the phasors, which no phase disturbs.
std::optional<double> recovered_amplitude(const Recovery& recovery) {
  std::vector<double> amplitudes;
  for (const auto& phasor : recovery.phasors) {
    if (phasor) {
      amplitudes.push_back(phasor->amplitude);
    }
  }
  if (amplitudes.empty()) {
    return std::nullopt;
  }
  const auto middle = amplitudes.begin() + static_cast<std::ptrdiff_t>(amplitudes.size() / 2);
  std::ranges::nth_element(amplitudes, middle);
  return *middle;
}

/// The patch of the spec that gives this amplitude, where it has a key for it.
OrderedJson amplitude_patch(const Clues& clues, double value) {
  if (clues.suspect.has_operation()) {
    return nullptr;  // its amplitude follows from that of the forward map
  }
  const auto spec = clues.suspect.encoding().spec();
  if (spec.contains("scale") && spec.at("scale").is_number()) {
    return replacement("scale", value * spec.at("scale").get<double>() / clues.base.amplitude);
  }
  if (spec.contains("rope_scaling") && spec.at("rope_scaling").is_object()) {
    const auto type = spec.at("rope_scaling").value("rope_type", std::string());
    if (type == "yarn" || type == "longrope") {
      return replacement("rope_scaling/attention_factor", value);
    }
  }
  return nullptr;
}

void propose_amplitude(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                       double value, Proposals& out) {
  if (value == clues.base.amplitude || value == 0) {
    return;
  }
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) { computation.amplitude = value; }, amplitude_patch(clues, value));
}

/// What the amplitude of the base has of the scale of the tensors: no attention factor.
double scale_of(const Clues& clues) {
  const auto& quantization = clues.suspect.quantization();
  return quantization ? quantization->approximate_factor() : 1;
}

void propose_left_out(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (clues.suspect.has_operation()) {
    return;
  }
  const double declared = clues.base.amplitude;
  const double scale = scale_of(clues);
  propose_amplitude(
      clues, kind,
      fmt::format("the amplitude is {:.7g}, not {:.7g}: the factor is left out", scale, declared), flag_bits,
      scale, out);
}

void propose_amplitude_twice(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const double declared = clues.base.amplitude;
  if (declared != 1 && scale_of(clues) == 1 && !clues.suspect.has_operation()) {
    propose_amplitude(clues, kind,
                      fmt::format("the amplitude is {:.7g}, the square of the declared {:.7g}",
                                  declared * declared, declared),
                      flag_bits, declared * declared, out);
  }
}

void propose_amplitude_factor(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const double declared = clues.base.amplitude;
  const auto spec = clues.suspect.encoding().spec();
  const auto propose = [&](double value, std::string_view words, double bits) {
    propose_amplitude(clues, kind, fmt::format("the amplitude is {}, not {:.7g}", words, declared), bits,
                      value, out);
  };
  for (const auto* key : {"d_model", "head_dim"}) {
    if (spec.contains(key)) {
      const double width = spec.at(key).get<double>();
      propose(declared * std::sqrt(width), fmt::format("sqrt({}), of the width", number_words(width)),
              listed_bits);
      propose(declared / std::sqrt(width), fmt::format("1/sqrt({}), of the width", number_words(width)),
              listed_bits);
      propose(declared * std::sqrt(2 / width), fmt::format("sqrt(2/{}), of the width", number_words(width)),
              listed_bits);
    }
  }
  propose(std::sqrt(declared), fmt::format("{:.7g}, the root of what it should be", std::sqrt(declared)),
          variant_bits);
  const bool is_forward = !clues.suspect.has_operation();  // the rest has names of its own
  if (is_forward && scale_of(clues) == 1) {
    propose(1 / declared, fmt::format("{:.7g}, the reciprocal of what it should be", 1 / declared),
            variant_bits);
  }
  if (is_forward && spec.contains("rope_scaling") && spec.at("rope_scaling").contains("factor")) {
    const double s = spec.at("rope_scaling").at("factor").get<double>();
    if (s > 1) {
      const double yarn = 0.1 * std::log(s) + 1;
      propose(yarn, fmt::format("{:.7g} = 0.1 ln {} + 1, YaRN's own", yarn, number_words(s)), variant_bits);
    }
  }
  double tolerance = 0x1p-20;
  for (const auto& parameters : clues.base.parameters) {
    tolerance = std::max(tolerance, traits(parameters.stored).unit_roundoff());
  }
  const auto by = measured_amplitude_factor(clues);
  for (const auto& estimate :
       {recovered_amplitude(clues.recovery), by ? std::optional(*by * declared) : std::nullopt}) {
    // Tensors of zeros measure none: what is zero has no amplitude.
    if (!estimate || !std::isnormal(*estimate) || std::fabs(*estimate / declared - 1) < 1e-7) {
      continue;
    }
    for (const double slack : {1.0, 0.1}) {
      if (const auto decimal = shortest_decimal(*estimate, slack * tolerance)) {
        propose(*decimal, number_words(*decimal), 2 + number_bits(*decimal));
      }
      // Of an amplitude of 1 these would be the same again.
      if (const auto decimal =
              declared == 1 ? std::nullopt : shortest_decimal(*estimate / declared, slack * tolerance)) {
        propose(
            *decimal * declared,
            fmt::format("{:.7g}, {} times what it should be", *decimal * declared, number_words(*decimal)),
            2 + number_bits(*decimal));
      }
    }
    if (clues.is_thorough && std::fabs(*estimate / declared - 1) > tolerance / 4) {
      const double best =
          polished(clues.suspect, clues.base, *estimate, 1e-6 * *estimate,
                   [](Computation& computation, double value) { computation.amplitude = value; });
      propose(best, fmt::format("{:.8g}", best), real_bits);
    }
  }
}

}  // namespace

StageEdits amplitude_edits() {
  return {{"amplitude/left-out", propose_left_out},
          {"amplitude/twice", propose_amplitude_twice},
          {"amplitude/factor", propose_amplitude_factor}};
}

}  // namespace vernier
