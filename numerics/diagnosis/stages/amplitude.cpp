// What sines and cosines are multiplied by.

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/computation/polish.hpp"
#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// The factors between what is seen and the base: of all elements, and of those which fail, by least squares;
/// and those that several which fail have.
std::vector<double> measured_amplitude_factors(const Clues& clues) {
  struct Sums {
    double products = 0;
    double squares = 0;
  };
  Sums all;
  Sums failing;
  FrequentNumbers frequent;
  constexpr double largest_doubt = 1e-3;  // so many digits are no chance
  const Predictor predictor(clues.suspect, clues.base);
  for (const auto row : telling_rows(clues.suspect, 256)) {
    predictor.visit(row, [&](const PredictedElement& element) {
      if (element.pair < 0 || !std::isfinite(element.got) || !std::isfinite(element.predicted)) {
        return;
      }
      for (auto* sums : {&all, &failing}) {
        if (sums == &all || element.fails()) {
          sums->products += element.got * element.predicted;
          sums->squares += element.predicted * element.predicted;
        }
      }
      constexpr int most_digits = 3;
      const double allowed = element.allowed / std::fabs(element.predicted);
      const auto factor = element.fails() && allowed < largest_doubt
                              ? shortest_decimal(element.got / element.predicted, allowed, most_digits)
                              : std::nullopt;
      if (factor && *factor > 0) {
        frequent.add(*factor);
      }
    });
  }
  auto result = frequent.most_frequent();
  for (const auto& sums : {all, failing}) {
    if (sums.squares > 0 && sums.products != 0) {
      result.push_back(sums.products / sums.squares);
    }
  }
  return result;
}

/// That of the phasors, which no phase disturbs.
std::optional<double> recovered_amplitude(const Recovery& recovery) {
  std::vector<double> amplitudes;
  for (const auto& phasor : recovery.phasors) {
    if (phasor) {
      amplitudes.push_back(phasor->amplitude);
    }
  }
  return amplitudes.empty() ? std::nullopt : std::optional(median(std::move(amplitudes)));
}

/// Whether vectors are stored keys that are moved, which have their amplitude already.
bool moves_keys(const Suspect& suspect) {
  return suspect.vectors() != nullptr && suspect.vectors()->rotation.operation == RotationOperation::shift;
}

/// The patch of the spec that gives this amplitude, where it has a key for it.
OrderedJson amplitude_patch(const Clues& clues, double value) {
  if (clues.suspect.has_operation() || moves_keys(clues.suspect)) {
    return nullptr;  // its amplitude follows from that of the forward map
  }
  const auto spec = clues.spec();
  if (const auto scale = number_at(spec, "scale")) {
    return replacement("scale", value * *scale / clues.base.amplitude);
  }
  const auto type = clues.scaling_type();
  return type == "yarn" || type == "longrope" ? replacement("rope_scaling/attention_factor", value)
                                              : OrderedJson(nullptr);
}

void propose_amplitude(const KindEdits& edits, const std::string& sentence, double bits, double value) {
  if (value != edits.base.amplitude && value != 0) {
    edits.add(sentence, bits, setting(&Computation::amplitude, value), amplitude_patch(edits, value));
  }
}

/// What the amplitude of the base has of the scale of the tensors: no attention factor.
double scale_of(const Clues& clues) {
  const auto& quantization = clues.suspect.quantization();
  return quantization ? quantization->approximate_factor() : 1;
}

void propose_left_out(const KindEdits& edits) {
  const double scale = scale_of(edits);
  if (!edits.suspect.has_operation()) {
    propose_amplitude(edits,
                      fmt::format("the amplitude is {:.7g}, not {:.7g}: the factor is left out", scale,
                                  edits.base.amplitude),
                      flag_bits, scale);
  }
}

void propose_amplitude_twice(const KindEdits& edits) {
  const double declared = edits.base.amplitude;
  if (moves_keys(edits.suspect) && edits.suspect.encoding().has_plain_tables()) {
    const double again = approximately(edits.suspect.encoding().plain_tables().front().amplitude);
    propose_amplitude(
        edits, fmt::format("the amplitude is {:.7g}, not 1: moved keys are multiplied by it again", again),
        flag_bits, again);
  }
  if (declared != 1 && scale_of(edits) == 1 && !edits.suspect.has_operation()) {
    propose_amplitude(edits,
                      fmt::format("the amplitude is {:.7g}, the square of the declared {:.7g}",
                                  declared * declared, declared),
                      flag_bits, declared * declared);
  }
}

/// What widths, factors and roots make of an amplitude.
template <class Propose>
void propose_usual_factors(const KindEdits& edits, const Propose& propose) {
  const double declared = edits.base.amplitude;
  const auto spec = edits.spec();
  for (const auto* key : {"d_model", "head_dim"}) {
    if (const auto width = number_at(spec, key)) {
      const auto words = number_words(*width);
      const double root = std::sqrt(*width);
      propose(declared * root, fmt::format("sqrt({}), of the width", words), listed_bits);
      propose(declared / root, fmt::format("1/sqrt({}), of the width", words), listed_bits);
      propose(declared * std::sqrt(2 / *width), fmt::format("sqrt(2/{}), of the width", words), listed_bits);
    }
  }
  propose(std::sqrt(declared), fmt::format("{:.7g}, the root of what it should be", std::sqrt(declared)),
          variant_bits);
  if (edits.suspect.has_operation() || moves_keys(edits.suspect)) {
    return;  // the rest has names of its own
  }
  if (scale_of(edits) == 1) {
    propose(1 / declared, fmt::format("{:.7g}, the reciprocal of what it should be", 1 / declared),
            variant_bits);
  }
  if (const auto s = number_at(edits.scaling(), "factor"); s && *s > 1) {
    const double yarn = 0.1 * std::log(*s) + 1;
    propose(yarn, fmt::format("{:.7g} = 0.1 ln {} + 1, YaRN's own", yarn, number_words(*s)), variant_bits);
  }
}

void propose_amplitude_factor(const KindEdits& edits) {
  const double declared = edits.base.amplitude;
  const auto propose = [&](double value, std::string_view words, double bits) {
    propose_amplitude(edits, fmt::format("the amplitude is {}, not {:.7g}", words, declared), bits, value);
  };
  propose_usual_factors(edits, propose);
  double tolerance = 0x1p-20;
  for (const auto& parameters : edits.base.parameters) {
    tolerance = std::max(tolerance, traits(parameters.stored).unit_roundoff());
  }
  auto estimates =
      mapped(measured_amplitude_factors(edits), [=](double factor) { return factor * declared; });
  if (const auto recovered = recovered_amplitude(edits.recovery)) {
    estimates.insert(estimates.begin(), *recovered);
  }
  for (const double estimate : estimates) {
    // Tensors of zeros measure none: what is zero has no amplitude.
    if (!std::isnormal(estimate) || std::fabs(estimate / declared - 1) < 1e-7) {
      continue;
    }
    for (const double slack : {1.0, 0.1}) {
      if (const auto decimal = shortest_decimal(estimate, slack * tolerance)) {
        propose(*decimal, number_words(*decimal), 2 + number_bits(*decimal));
      }
      const auto times = shortest_decimal(estimate / declared, slack * tolerance);
      if (declared != 1 && times) {  // of an amplitude of 1 these would be the same again
        propose(*times * declared,
                fmt::format("{:.7g}, {} times what it should be", *times * declared, number_words(*times)),
                2 + number_bits(*times));
      }
    }
    if (edits.is_thorough && std::fabs(estimate / declared - 1) > tolerance / 4) {
      const double best =
          polished(edits.suspect, edits.base, estimate, 1e-6 * estimate,
                   [](Computation& computation, double value) { computation.amplitude = value; });
      propose(best, fmt::format("{:.8g}", best), real_bits);
    }
  }
}

/// Divides by all that vectors are multiplied by, or multiplies by what they are divided by.
void invert_amplitude(Computation& computation) {
  computation.amplitude = 1 / computation.amplitude;
  for (auto& growth : computation.growth) {
    if (growth != nullptr) {
      auto scale = growth->scale();
      scale.is_reciprocal = !scale.is_reciprocal;
      growth = growth->with(std::move(scale));
    }
  }
}

/// Of what turns vectors back: the transpose of a rotation, its inverse, and the gradient of either.
void propose_back(const KindEdits& edits) {
  const double declared = edits.base.amplitude;
  const bool grows = edits.suspect.grows();
  if (!edits.suspect.has_operation() || edits.base.rotated.empty() || (declared == 1 && !grows)) {
    return;
  }
  const auto& rotation = edits.suspect.vectors()->rotation;
  const bool is_inverse = rotation.operation == RotationOperation::inverse;
  edits.of(is_inverse ? "amplitude/back-multiplies" : "amplitude/back-divides")
      .add(fmt::format("{} {} by the {} where {}",
                       rotation.is_gradient ? "the gradient"
                       : is_inverse         ? "the inverse"
                                            : "the transpose",
                       is_inverse ? "multiplies" : "divides",
                       grows ? "scale" : fmt::format("amplitude {:.7g}", std::fmax(declared, 1 / declared)),
                       is_inverse ? "it should divide" : "the transpose multiplies"),
           flag_bits, invert_amplitude,
           rotation.is_gradient ? OrderedJson(nullptr)
                                : replacement("operation", is_inverse ? "transpose" : "inverse"));
  if (declared != 1) {
    edits.of("amplitude/back-left-out")
        .add(fmt::format("the amplitude is missing: 1, not {:.7g}", declared), flag_bits,
             setting(&Computation::amplitude, 1));
    edits.of("amplitude/back-twice")
        .add(fmt::format("the amplitude is squared: {:.7g}, not {:.7g}", declared * declared, declared),
             flag_bits, setting(&Computation::amplitude, declared * declared));
  }
}

}  // namespace

StageEdits amplitude_edits() {
  return {{"amplitude/left-out", propose_left_out},
          {"amplitude/twice", propose_amplitude_twice},
          {"amplitude/factor", propose_amplitude_factor},
          {"amplitude/back-divides", propose_back}};
}

}  // namespace vernier
