#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/computation/recovery.hpp"
#include "numerics/diagnosis/computation/suspect.hpp"
#include "numerics/diagnosis/description_length.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "numerics/diagnosis/spec_patch.hpp"
#include "reference/registry.hpp"

namespace vernier {

/// What edits are proposed from.
struct Clues {
  const Suspect& suspect;
  const Computation& base;   ///< the computation to edit: the declared one, or one edited already
  const Recovery& recovery;  ///< of what the tensors show under the mapping of the base
  /// Whether numbers are measured to the last bit, which takes its time: not where many bases are edited.
  bool is_thorough = true;
};

/// A computation that the tensors may be.
struct Proposal {
  Finding finding;
  double bits = 0;  ///< the description length of the edit
  Computation computation;
  Stage stage = Stage::mapping;  ///< that is edited: see StageEdit::edited
};
using Proposals = std::vector<Proposal>;

/// A kind of fault and how it is proposed: measurements say with which parameters.
struct StageEdit {
  std::string_view kind;  ///< its id: one of several, where the same measurement tells others too
  void (*propose)(const Clues& clues, const FaultKind& kind, Proposals& out);
  /// Its computation allows more than the declared one, so that it may predict what it does not explain: it
  /// is tried where nothing else predicts.
  bool is_last_resort = false;
  /// The stage after which others are measured and edited, where it is not that of the kind.
  std::optional<Stage> edited = std::nullopt;

  Stage stage() const { return edited.value_or(fault_kind(kind).stage); }
};
using StageEdits = std::vector<StageEdit>;

/// "10001", "0.25"
std::string number_words(double value);

/// Appends a copy of the base that `edit` has changed.
void propose_edit(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                  Proposals& out, const std::function<void(Computation&)>& edit, OrderedJson patch = nullptr);

/// Appends the base with the frequencies and what belongs to them of the spec so patched; nothing where that
/// is no spec, or its tensors have another shape.
/// \param amplitude_too whether the amplitude is taken as well
void propose_frequencies(const Clues& clues, const FaultKind& kind, std::string sentence, double bits,
                         const OrderedJson& patch, Proposals& out, bool amplitude_too = false);

/// The edits of every stage, in the order of the stages. A new stage is a file, which defines its function,
/// and a line here.
// clang-format off
VERNIER_REGISTRY(stage_makers, StageEdits,
    mapping_edits,
    part_edits,
    axis_edits,
    direction_edits,
    operation_edits,
    learned_pair_edits,
    frequency_edits,  // frequencies/formula.cpp
    rounded_frequency_edits,  // frequencies/rounding.cpp
    pair_frequency_edits,  // frequencies/pairs.cpp
    shared_frequency_edits,  // frequencies/shared_axes.cpp
    spec_key_edits,
    scaling_formula_edits,  // frequencies/scaling_formula.cpp
    other_encoding_edits,  // frequencies/other_encoding.cpp
    position_edits,
    narrowed_edits,
    grid_position_edits,
    phase_edits,
    trigonometry_edits,
    amplitude_edits,
    operation_amplitude_edits,  // operation.cpp
    growth_edits,  // scaled/growth_edits.cpp
    storage_edits,
    quantization_edits,
    halves_edits);  // damage/halves.cpp
// clang-format on

/// Those of all stages.
const StageEdits& stage_edits();

}  // namespace vernier
