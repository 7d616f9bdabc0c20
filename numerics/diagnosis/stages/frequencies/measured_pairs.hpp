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

/// The key of the base of a geometric progression, and its value; nothing of other frequencies.
std::optional<std::pair<std::string, double>> declared_base(const Clues& clues);

/// Whether the spec scales its frequencies.
bool is_scaled(const Clues& clues);

}  // namespace vernier
