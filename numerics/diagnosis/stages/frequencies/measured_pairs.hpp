#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// A pair whose frequency was measured, and how exactly.
struct MeasuredPair {
  int pair;
  double frequency;
  double uncertainty;  ///< relative: of the measurement, and what is allowed to the frequency
  double declared;

  bool agrees() const;
};

/// Those that turn, the way that the base has it.
std::vector<MeasuredPair> measured_pairs(const Clues& clues);

/// The key of a base among those of a spec, or of one of its axes, and its value; nothing where there is
/// none.
std::optional<std::pair<std::string, double>> base_in(const OrderedJson& keys);
/// That of the spec: the base of a geometric progression; nothing of other frequencies.
std::optional<std::pair<std::string, double>> declared_base(const Clues& clues);

/// A base of the spec, and the frequencies that it makes.
struct SpecBase {
  std::vector<std::string> paths;  ///< of the keys that hold it: several where all axes have the same
  double value;
  std::optional<int> axis;  ///< whose base alone it is

  /// The patch of the spec that puts another in its place.
  OrderedJson replaced(double other) const;
};

/// The base of the spec; or, where axes are listed that have their own, the one of all axes if they have the
/// same, and that of each. None of frequencies without a base.
std::vector<SpecBase> spec_bases(const Clues& clues);

/// The declared frequency of the first pair of each axis.
std::vector<double> first_frequencies(const Clues& clues);

/// Whether the spec scales its frequencies.
bool is_scaled(const Clues& clues);

}  // namespace vernier
