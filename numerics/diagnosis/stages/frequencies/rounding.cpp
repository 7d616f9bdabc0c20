// Frequencies that are rounded to 16 bits, or multiplied up in float32.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/change_frequencies.hpp"
#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

namespace vernier {
namespace {

long double rounded_to(Format format, long double w) {
  return round_to(format, static_cast<double>(w));
}

/// Frequencies that are numbers of the format where the declared ones are none, if nearly all that tell are:
/// their logarithms or powers may be rounded as well, so that they are other numbers than the nearest. Each
/// is the declared one to some roundings: 1/b^x with x off by a rounding is off by |ln w| u, its power and
/// the reciprocal by u each, and as much again for the logarithm. What is a number of the format as it is
/// declared, as powers of two are, tells nothing.
/// \returns a frequency a pair, nothing where it does not tell; empty where they are no numbers of the format
std::vector<std::optional<double>> computed_in(Format narrow, const Clues& clues) {
  std::size_t telling = 0;
  std::size_t members = 0;
  std::vector<std::optional<double>> found(clues.base.tones.size());
  for (const auto& one : measured_pairs(clues)) {
    const double size = clues.base.place_size(static_cast<std::size_t>(one.pair));
    const double frequency = one.frequency / size;
    const double declared = one.declared / size;
    const double spacing = ulp_at(narrow, frequency);
    const double uncertainty = one.uncertainty * frequency;
    if (8 * uncertainty >= spacing || round_to(narrow, declared) == declared) {
      continue;
    }
    ++telling;
    const double nearest = round_to(narrow, frequency);
    const double roundings = 2 * (std::fabs(std::log(declared)) + 2);
    if (std::fabs(nearest - frequency) <= std::max(2 * uncertainty, spacing / 16) &&
        std::fabs(nearest - declared) <= roundings * spacing / 2) {
      ++members;
      found[static_cast<std::size_t>(one.pair)] = nearest;
    }
  }
  return telling >= 4 && 10 * members >= 9 * telling ? found : std::vector<std::optional<double>>();
}

void propose_computed_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    const std::string name(traits(narrow).name);
    const auto propose = [&](const std::string& sentence, double bits,
                             const std::function<long double(long double)>& change) {
      propose_edit(clues, kind, sentence, bits, out,
                   [&](Computation& computation) { change_frequencies(computation, change); });
    };
    const double least_normal = traits(narrow).smallest_normal();
    if (std::ranges::any_of(clues.base.tones,
                            [&](const Tone& tone) { return std::fabs(tone.sine) < least_normal; })) {
      propose("the frequencies are rounded to " + name + ", and those below its normal numbers are zero",
              variant_bits + 1, [=](long double w) {
                const auto nearest = rounded_to(narrow, w);
                return std::fabs(nearest) < least_normal ? 0 : nearest;
              });
    }
    if (const auto found = computed_in(narrow, clues); !found.empty()) {
      propose_edit(clues, kind, "the frequencies are computed in " + name, variant_bits + damaged_bits, out,
                   [&](Computation& computation) {
                     for (std::size_t i = 0; i < computation.tones.size(); ++i) {
                       auto& tone = computation.tones[i];
                       const long double size = computation.place_size(i);
                       const long double w = found[i] ? *found[i] : rounded_to(narrow, tone.sine / size);
                       tone = {w * size, w * size};
                     }
                   });
    }
  }
}

/// Frequencies that are multiplied up in float32, from a ratio that is the declared one to some ulp; and the
/// powers of such a ratio.
void propose_iterated(const Clues& clues, const FaultKind& kind, Proposals& out) {
  if (!declared_base(clues) || is_scaled(clues) || clues.base.tones.size() < 2 ||
      clues.base.frequency(0) == 0) {
    return;
  }
  const auto nearest = static_cast<float>(clues.base.frequency(1) / clues.base.frequency(0));
  for (int ulps = -2; ulps <= 2; ++ulps) {
    float ratio = nearest;
    for (int i = 0; i < std::abs(ulps); ++i) {
      ratio = std::nextafter(ratio, ulps > 0 ? 2.0F : 0.0F);
    }
    for (const bool is_product : {true, false}) {
      propose_edit(clues, kind,
                   is_product ? "each frequency is the one before times a float32 ratio"
                              : "the frequencies are powers of a ratio that is rounded to float32",
                   variant_bits + std::abs(ulps), out, [&](Computation& computation) {
                     const auto first = computation.tones[0].sine;
                     auto product = static_cast<float>(first);
                     for (std::size_t i = 0; i < computation.tones.size(); ++i) {
                       const long double power =
                           first * std::pow(static_cast<long double>(ratio), static_cast<long double>(i));
                       const long double w = is_product ? static_cast<long double>(product) : power;
                       computation.tones[i] = {w, w};
                       product *= ratio;
                     }
                     computation.allow_computed_frequencies();
                   });
    }
  }
}

}  // namespace

StageEdits rounded_frequency_edits() {
  return {{"frequency/format", propose_computed_format}, {"frequency/iterated", propose_iterated}};
}

}  // namespace vernier
