#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "numerics/computation/computation.hpp"
#include "numerics/computation/description_length.hpp"
#include "numerics/computation/finding.hpp"
#include "numerics/computation/recovery.hpp"
#include "numerics/computation/spec_patch.hpp"
#include "numerics/computation/suspect.hpp"
#include "reference/support/registry.hpp"

namespace vernier {

/// What edits are proposed from.
struct Clues {
  const Suspect& suspect;
  const Computation& base;   ///< the computation to edit: the declared one, or one edited already
  const Recovery& recovery;  ///< of what the tensors show under the mapping of the base
  /// Whether numbers are measured to the last bit, which takes its time: not where many bases are edited.
  bool is_thorough = true;
  /// Rows that no positions are read off; null: none.
  const std::vector<bool>* unread = nullptr;

  /// Of the suspect, with all its defaults.
  const OrderedJson& spec() const { return suspect.encoding().spec(); }
  /// That of RoPE's frequencies, or null; and which it is, or nothing.
  OrderedJson scaling() const { return spec().value("rope_scaling", OrderedJson(nullptr)); }
  std::string scaling_type() const;
};

/// A computation that the tensors may be.
struct Proposal {
  Finding finding;
  double bits = 0;  ///< the description length of the edit
  Computation computation;
  Stage stage = Stage::mapping;  ///< that is edited: see StageEdit::edited
};
using Proposals = std::vector<Proposal>;

/// What an edit does to a copy of the base.
using ComputationEdit = std::function<void(Computation&)>;

/// An edit that is told by fields and the values that they get: setting(&Storing::through, narrow,
/// &Storing::truncates, true).
template <class Owner, class Value, class... More>
ComputationEdit setting(Value Owner::*field, const std::type_identity_t<Value>& value, const More&... more) {
  return [=](Computation& computation) {
    if constexpr (std::is_same_v<Owner, Storing>) {
      computation.storing.*field = value;
    } else {
      computation.*field = value;
    }
    if constexpr (sizeof...(more) > 0) {
      setting(more...)(computation);
    }
  };
}

/// The edits of one kind of fault: what they are proposed from, and where they go.
struct KindEdits : Clues {
  const FaultKind& kind;
  Proposals& out;

  /// Those of another kind.
  KindEdits of(std::string_view id) const { return {*this, fault_kind(id), out}; }
  /// Appends a copy of the base, edited.
  void add(std::string sentence, double bits, const ComputationEdit& edit, OrderedJson patch = nullptr) const;
  /// Appends the base with the frequencies and what belongs to them of the spec so patched; nothing where
  /// that is no spec, or its tensors have another shape.
  /// \param amplitude_too whether the amplitude is taken as well
  void add_frequencies(std::string sentence, double bits, const OrderedJson& patch,
                       bool amplitude_too = false) const;
};

/// A kind of fault and how it is proposed: measurements say with which parameters.
struct StageEdit {
  std::string_view kind;  ///< its id: one of several, where the same measurement tells others too
  void (*propose)(const KindEdits& edits);
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

/// A factor in the words of a sentence, and what it takes to say: "7", "1/40".
struct SimpleFactor {
  long double value;
  std::string words;
  double bits;
};
/// The short factors next to a measured one: a decimal, and one over a decimal; of the same number one.
std::vector<SimpleFactor> simple_factors(double value, double relative_tolerance, int most_digits = 9);

/// Every frequency times a factor.
void add_frequency_factor(const KindEdits& edits, const SimpleFactor& factor);  // frequencies/formula.cpp

/// Numbers that are seen again and again where others are in between.
class FrequentNumbers {
 public:
  void add(double number) { ++times_[number]; }
  /// Those that were seen more than once, the most frequent first.
  std::vector<double> most_frequent() const;

 private:
  std::map<double, std::size_t> times_;
};

/// What a column of cosines, or of sines, may hold in their place.
struct ShownPart {
  TurnPart part;
  std::string_view words;
};
std::span<const ShownPart> turn_parts();  // learned_pairs.cpp

/// The number of a key, where the object has one.
std::optional<double> number_at(const OrderedJson& object, const char* key);

/// The edits of every stage, in the order of the stages. A new stage is a file, which defines its function,
/// and a line here.
// clang-format off
VERNIER_REGISTRY(stage_makers, StageEdits,
    mapping_edits,
    dimension_edits,  // dimensions.cpp
    axis_edits,
    direction_edits,
    learned_pair_edits,
    frequency_edits,  // frequencies/formula.cpp
    rounded_frequency_edits,  // narrowed.cpp
    pair_frequency_edits,  // frequencies/pairs.cpp
    shared_frequency_edits,  // frequencies/shared_axes.cpp
    scaling_edits,  // frequencies/scaling.cpp
    position_edits,
    narrowed_edits,
    grid_position_edits,  // position.cpp
    trigonometry_edits,
    amplitude_edits,
    growth_edits,  // growth.cpp
    storage_edits);
// clang-format on

/// Those of all stages.
const StageEdits& stage_edits();

}  // namespace vernier
