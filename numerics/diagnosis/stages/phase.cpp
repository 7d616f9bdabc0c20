// The products of positions and frequencies.

#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "numerics/diagnosis/computation/coherence.hpp"
#include "numerics/diagnosis/computation/polish.hpp"
#include "numerics/diagnosis/computation/prediction.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {
namespace {

/// The shift that points show: of all of them, where the base predicts them but for it, else of the pair that
/// tells it best, whose points no frequency of the base disturbs.
std::optional<double> measured_shift(const Clues& clues) {
  constexpr double most_of_all = 0.99;
  const auto coherence = coherence_of(clues.suspect, clues.base, telling_rows(clues.suspect, 64));
  if (coherence.of_all > most_of_all) {
    const double shift = std::arg(coherence.factor);
    return std::fabs(shift) > 0x1p-20 ? std::optional(shift) : std::nullopt;
  }
  const FittedPhasor* best = nullptr;
  for (const auto& phasor : clues.recovery.phasors) {
    if (phasor && (best == nullptr || phasor->phase_uncertainty < best->phase_uncertainty)) {
      best = &*phasor;
    }
  }
  return best != nullptr && std::fabs(best->phase) > 4 * best->phase_uncertainty + 0x1p-20
             ? std::optional(best->phase)
             : std::nullopt;
}

void propose_shift(const Clues& clues, const FaultKind& kind, Proposals& out) {
  const auto measured = clues.is_thorough ? measured_shift(clues) : std::nullopt;
  if (!measured) {
    return;
  }
  const auto shift_by = [](Computation& computation, double shift) {
    computation.phase_shift = shift;
    computation.allow_phase_roundings(1);  // the sum is rounded
  };
  const double by = polished(clues.suspect, clues.base, *measured, 1e-6, shift_by);
  if (const auto decimal = shortest_decimal(by, 1e-7 / std::fabs(by))) {
    propose_edit(clues, kind, fmt::format("every phase is shifted by {} radians", number_words(*decimal)),
                 number_bits(*decimal), out,
                 [&](Computation& computation) { shift_by(computation, *decimal); });
  }
  propose_edit(clues, kind, fmt::format("every phase is shifted by {:.9g} radians", by), real_bits, out,
               [&](Computation& computation) { shift_by(computation, by); });
}

}  // namespace

StageEdits phase_edits() {
  return {{"phase/shift", propose_shift}};
}

}  // namespace vernier
