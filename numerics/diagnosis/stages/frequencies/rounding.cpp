// Frequencies that are rounded to 16 bits, or multiplied up in float32.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/stages/frequencies/measured_pairs.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array frequency_format_bugs{"sgl-project/sglang-jax #1472"sv, "NVIDIA/Megatron-LM #744"sv,
                                           "EleutherAI/gpt-neox #1003"sv, "facebookresearch/xformers #779"sv};

constexpr FaultKind frequency_format{
    .id = "frequency/format",
    .stage = Stage::frequency,
    .title = "the frequencies are rounded to a 16-bit format",
    .means = "The error of a phase grows with the position, until far tokens stand at arbitrary angles.",
    .advice = "Keep inv_freq in float32: look for a cast of the module, of its buffers, or by autocast.",
    .similar = frequency_format_bugs};
constexpr FaultKind frequency_iterated{
    .id = "frequency/iterated",
    .stage = Stage::frequency,
    .title = "frequencies are multiplied up",
    .means = "Errors grow with the number of the pair, and with the position.",
    .advice = "If this is how the kernel is meant to work, declare the contract with --contract."};

long double rounded_to(Format format, long double w) {
  return round_to(format, static_cast<double>(w));
}

/// Toward zero.
long double cut_off_extended(Format format, long double w) {
  const auto nearest = round_to(format, static_cast<double>(w));
  return std::fabs(nearest) <= std::fabs(w) ? nearest
         : nearest > 0                      ? next_down(format, nearest)
                                            : next_up(format, nearest);
}

void propose_frequency_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    const std::string name(traits(narrow).name);
    propose_edit(clues, kind, "the frequencies are rounded to " + name, variant_bits, out,
                 [&](Computation& computation) {
                   computation.change_tones([=](long double w) { return rounded_to(narrow, w); });
                 });
    propose_edit(clues, kind, "the frequencies are cut off to " + name + ", not rounded", variant_bits, out,
                 [&](Computation& computation) {
                   computation.change_tones([=](long double w) { return cut_off_extended(narrow, w); });
                 });
    const double least_normal = traits(narrow).smallest_normal();
    if (std::ranges::any_of(clues.base.tones,
                            [&](const Tone& tone) { return std::fabs(tone.sine) < least_normal; })) {
      propose_edit(clues, kind,
                   "the frequencies are rounded to " + name + ", and those below its normal numbers are zero",
                   variant_bits + 1, out, [&](Computation& computation) {
                     computation.change_tones([&](long double w) {
                       const auto nearest = rounded_to(narrow, w);
                       return std::fabs(nearest) < least_normal ? 0 : nearest;
                     });
                   });
    }
    // Where the logarithms or powers are rounded as well, the frequencies are other numbers of the format.
    std::size_t telling = 0;
    std::size_t members = 0;
    std::vector<std::optional<double>> found(clues.base.tones.size());
    for (const auto& one : measured_pairs(clues)) {
      const double spacing = ulp_at(narrow, one.frequency);
      const double uncertainty = one.uncertainty * one.frequency;
      if (8 * uncertainty < spacing) {
        ++telling;
        const double nearest = round_to(narrow, one.frequency);
        if (std::fabs(nearest - one.frequency) <= std::max(2 * uncertainty, spacing / 16)) {
          ++members;
          found[static_cast<std::size_t>(one.pair)] = nearest;
        }
      }
    }
    if (telling >= 4 && 10 * members >= 9 * telling) {
      propose_edit(clues, kind, "the frequencies are computed in " + name, variant_bits + damaged_bits, out,
                   [&](Computation& computation) {
                     for (std::size_t i = 0; i < computation.tones.size(); ++i) {
                       auto& tone = computation.tones[i];
                       const long double w = found[i] ? *found[i] : rounded_to(narrow, tone.sine);
                       tone = {w, w};
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
  return {{&frequency_format, propose_frequency_format}, {&frequency_iterated, propose_iterated}};
}

}  // namespace vernier
