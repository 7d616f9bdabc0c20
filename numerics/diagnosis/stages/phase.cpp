// The products of positions and frequencies.

#include <array>
#include <cmath>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/polish.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

using namespace std::string_view_literals;

constexpr std::array phase_format_bugs{"huggingface/transformers #29285"sv, "huggingface/candle #3520"sv,
                                       "EleutherAI/gpt-neox #1016"sv};
constexpr FaultKind phase_format{
    .id = "phase/format",
    .stage = Stage::phase,
    .title = "phases are rounded to a 16-bit format",
    .means =
        "Angles are off by up to half a step of the format, which is several radians far out: distant "
        "tokens stand at arbitrary angles.",
    .advice =
        "Multiply positions and frequencies in float32: look for autocast, or for operands that were "
        "cast before the product.",
    .similar = phase_format_bugs};
constexpr FaultKind phase_shift{
    .id = "phase/shift",
    .stage = Stage::phase,
    .title = "every phase is shifted by as much",
    .means =
        "Scores within one table are unchanged; against another kernel every pair "
        "is turned.",
    .advice = "Look for a constant that is added to the angles."};

void propose_format(const Clues& clues, const FaultKind& kind, Proposals& out) {
  for (const auto narrow : {Format::bfloat16, Format::binary16}) {
    const std::string name(traits(narrow).name);
    propose_edit(clues, kind, "phases are rounded to " + name, variant_bits, out,
                 [&](Computation& computation) { computation.phase_format = narrow; });
    const auto rounded = [narrow](long double w) -> long double {
      return round_to(narrow, static_cast<double>(w));
    };
    propose_edit(clues, kind, "positions and phases are rounded to " + name, variant_bits + 1, out,
                 [&](Computation& computation) {
                   computation.place_format = narrow;
                   computation.phase_format = narrow;
                 });
    propose_edit(clues, kind, "positions, frequencies and phases are rounded to " + name, variant_bits + 2,
                 out, [&](Computation& computation) {
                   computation.place_format = narrow;
                   computation.phase_format = narrow;
                   for (auto& tone : computation.tones) {
                     tone = {rounded(tone.cosine), rounded(tone.sine)};
                   }
                 });
    propose_edit(clues, kind, "frequencies and phases are rounded to " + name, variant_bits + 1, out,
                 [&](Computation& computation) {
                   computation.phase_format = narrow;
                   for (auto& tone : computation.tones) {
                     tone = {rounded(tone.cosine), rounded(tone.sine)};
                   }
                 });
  }
}

void propose_shift(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const FittedPhasor* best = nullptr;
  for (const auto& phasor : clues.recovery.phasors) {
    if (phasor && (best == nullptr || phasor->phase_uncertainty < best->phase_uncertainty)) {
      best = &*phasor;
    }
  }
  if (!clues.is_thorough || best == nullptr ||
      std::fabs(best->phase) < 4 * best->phase_uncertainty + 0x1p-20) {
    return;
  }
  const double by = polished(clues.suspect, clues.base, best->phase, 1e-6,
                             [](Computation& computation, double shift) { computation.phase_shift = shift; });
  if (const auto decimal = shortest_decimal(by, 1e-7 / std::fabs(by))) {
    propose_edit(clues, kind, fmt::format("every phase is shifted by {} radians", number_words(*decimal)),
                 number_bits(*decimal), out,
                 [&](Computation& computation) { computation.phase_shift = *decimal; });
  }
  propose_edit(clues, kind, fmt::format("every phase is shifted by {:.9g} radians", by), real_bits, out,
               [&](Computation& computation) { computation.phase_shift = by; });
}

}  // namespace

StageEdits phase_edits() {
  return {{&phase_format, propose_format}, {&phase_shift, propose_shift}};
}

}  // namespace vernier
