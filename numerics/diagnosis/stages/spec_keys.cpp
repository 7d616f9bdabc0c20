// Other keys of the spec, whatever the scheme: what they make of columns, frequencies and amplitude.

#include <cmath>
#include <limits>

#include "numerics/diagnosis/stages/frequencies/scaling_spec.hpp"

namespace vernier {
namespace {

using OtherSpec = Suspect::OtherSpec;

/// Appends the base with the columns and pairs of the other spec; nothing where the base has other
/// frequencies than the declared ones, whose order changes.
void propose_columns(const Clues& clues, const OtherSpec& other, Proposals& out) {
  if (clues.base.tones != clues.suspect.declared().tones) {
    return;
  }
  // Faults of operations have names of their own, which say more.
  constexpr double beside_operations = 4;
  const auto& finding = other.change.finding;
  const double bits = other.change.bits + (clues.suspect.has_operation() ? beside_operations : 0);
  propose_edit(
      clues, *finding.kind, finding.sentence, bits, out,
      [&](Computation& computation) {
        computation.cells = other.computation.cells;
        computation.rotated = other.computation.rotated;
        computation.tones = other.computation.tones;
        computation.axes = other.computation.axes;
        computation.parameters = other.computation.parameters;
      },
      finding.edit);
}

void propose_scaling(const Clues& clues, const SpecChange& change, Proposals& out) {
  const auto& finding = change.finding;
  propose_rescaled(clues, *finding.kind, finding.sentence, change.bits, finding.edit, out);
}

/// How far the frequencies of a spec are from the measured ones: the sum of the squared logarithms of their
/// quotients.
double misfit(const Clues& clues, const OrderedJson& patch) {
  constexpr double least_deviations = 16;
  const auto other = clues.suspect.frequencies_by(patch);
  if (!other || other->size() != clues.base.tones.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0;
  for (std::size_t i = 0; i < clues.recovery.phasors.size(); ++i) {
    const auto& phasor = clues.recovery.phasors[i];
    const double w = (*other)[i];
    if (phasor && phasor->frequency > least_deviations * phasor->uncertainty && w > 0) {
      const double distance = std::log(phasor->frequency / w);
      sum += distance * distance;
    }
  }
  return sum;
}

void propose_spec_keys(const Clues& clues, const FaultKind& /*kind*/, Proposals& out) {
  for (const auto& other : clues.suspect.other_specs()) {
    if (other.has_other_columns) {
      propose_columns(clues, other, out);
    } else {
      propose_scaling(clues, other.change, out);
    }
  }
}

/// Numbers of a scaling, fitted to the measured frequencies: what its amplitude says of itself shows
/// elsewhere.
void propose_fitted_numbers(const Clues& clues, const FaultKind& /*kind*/, Proposals& out) {
  constexpr double clearly_off = 1e-9;
  if (!clues.recovery.is_coherent() || misfit(clues, OrderedJson::array()) <= clearly_off) {
    return;
  }
  const auto is_fitted = [](std::string_view path) {
    return path == "sequence_length" ||
           (path.starts_with("rope_scaling/") && path.find("mscale") == std::string_view::npos &&
            path.find("attention") == std::string_view::npos);
  };
  for (const auto& change : fitted_changes(
           clues.suspect.encoding(), [&](const OrderedJson& patch) { return misfit(clues, patch); },
           is_fitted)) {
    propose_scaling(clues, change, out);
  }
}

/// Other rules that need numbers which the spec lacks.
void propose_other_rules(const Clues& clues, const FaultKind& /*kind*/, Proposals& out) {
  if (!clues.recovery.is_coherent()) {
    return;
  }
  for (const auto& start : incomplete_changes(clues.suspect.encoding())) {
    const auto change = fitted_together(clues.suspect.encoding(), start,
                                        [&](const OrderedJson& patch) { return misfit(clues, patch); });
    if (change) {
      propose_scaling(clues, *change, out);
    }
  }
}

}  // namespace

StageEdits spec_key_edits() {
  return {{"spec/key", propose_spec_keys},
          {"frequency/scaling-parameter", propose_fitted_numbers},
          {"frequency/scaling-parameter", propose_other_rules, true}};
}

}  // namespace vernier
