#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numerics/decoding/fitted_phasor.hpp"
#include "numerics/identification/frequency_window.hpp"
#include "numerics/identification/phase_model.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// A way of computing phases and what a pair may have been computed from by it.
struct Hypothesis {
  const PhaseModel* model = nullptr;
  double candidate = 0;  ///< see PhaseModel
  double frequency = 0;  ///< that the candidate stands for, in radians a position
};

/// The phases behind the tables of a case, as far as they can be told.
///
/// A hypothesis explains a row if its phase lies within the deviation that the row shows. Most rows tell no
/// two hypotheses apart: phases are rounded by less than the trigonometry may be off. The rows that do are
/// those whose phase may be rounded by four times as much as the row leaves open: there a way that is not the
/// implementation's explains a row by chance once in four. A model is the implementation's if it explains 99
/// of 100 such rows, among those that any one frequency explains, and there are at least 32 of them: by
/// chance that is one case in 2^64. Else the phases are not attributable, and nothing may be held against
/// them.
struct Attribution {
  std::shared_ptr<const std::vector<PhaseModel>> models;
  /// The implementation's; null if none is.
  const PhaseModel* model = nullptr;
  /// What explains nine tenths of the rows of each pair that were looked at, the likeliest of `model` first;
  /// those of other models too, as they may be what single rows were computed by, and so may whatever rounds
  /// the phases of an accepted frequency otherwise. Empty without a model.
  std::vector<std::vector<Hypothesis>> pairs;
  double amplitude = 1;  ///< the declared one, where the points agree with it; else as measured

  bool certified() const { return model != nullptr; }
  bool explains(int pair) const { return certified() && !pairs[static_cast<std::size_t>(pair)].empty(); }
  /// \pre explains(pair)
  const Hypothesis& best(int pair) const { return pairs[static_cast<std::size_t>(pair)].front(); }
};

/// Measures the phasor of a pair; nothing where it has none, or not both its components.
std::optional<FittedPhasor> fit_pair(const RowView& tables, std::span<const std::int64_t> positions,
                                     int pair);

/// Finds the float32 frequencies and the model of the phases that explain the tables. Candidates are the
/// float32 numbers at which most rows of a pair agree, near the declared frequency or else near the phasor's.
/// \param tables plain ones of one case, computed in float32
Attribution attribute_phases(const RowView& tables, std::span<const std::int64_t> positions);

/// The same of rows whose deviations from the declared phases are known, for frequencies near the declared
/// ones.
Attribution attribute_phases(const DeviationRows& rows, const Frequencies& declared);

/// How far the phase of a row is at least from every hypothesis of its pair, in radians; nothing if one
/// explains it, or if there are none. \param frequency the declared one of the pair
std::optional<double> unexplained_by(const Attribution& attribution, const PairSighting& seen,
                                     const DoubleDouble& frequency);

}  // namespace vernier
