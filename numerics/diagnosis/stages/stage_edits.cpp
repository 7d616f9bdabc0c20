#include "numerics/diagnosis/stages/stage_edits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

/// Frequencies are proposed if so many of the measured ones agree: few, as faults of positions and phases
/// disturb the measurement.
constexpr double least_agreement = 0.3;

}  // namespace

std::string number_words(double value) {
  if (value == std::rint(value) && std::fabs(value) < 1e15) {
    return fmt::format("{:.0f}", value);
  }
  return fmt::format("{}", value);
}

void propose_edit(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                  Proposals& out, const std::function<void(Computation&)>& edit, OrderedJson patch) {
  Proposal proposal{{&kind, std::move(sentence), std::move(patch)}, bits, clues.base};
  edit(proposal.computation);
  out.push_back(std::move(proposal));
}

void propose_frequencies(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                         const OrderedJson& patch, Proposals& out, bool amplitude_too) {
  // Where frequencies are measured, those that are far off are not worth the work.
  if (clues.recovery.is_coherent()) {
    const auto frequencies = clues.suspect.frequencies_by(patch);
    if (!frequencies || frequencies->size() != clues.base.tones.size() ||
        clues.recovery.agreement(*frequencies, clues.base.parameters.front().frequency_error) <
            least_agreement) {
      return;
    }
  }
  const auto other = clues.suspect.declared_by(patch);
  if (!other || other->tones.size() != clues.base.tones.size()) {
    return;
  }
  propose_edit(
      clues, kind, std::move(sentence), bits, out,
      [&](Computation& computation) {
        computation.tones = other->tones;
        computation.parameters = other->parameters;
        computation.axes = other->axes;
        if (amplitude_too) {
          computation.amplitude = other->amplitude;
        }
      },
      patch);
}

const StageEdits& stage_edits() {
  static const auto all = make_all_groups(stage_makers);
  return all;
}

}  // namespace vernier
