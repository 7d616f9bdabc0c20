#pragma once

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/correction_range.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"

namespace vernier {

class KeyVisitor;

/// NTK-by-parts, YaRN's forerunner (jquesnelle/yarn, LlamaPartNTKScaledRotaryEmbedding): a first ramp,
/// between pairs that turn 1.25 and 0.75 times within the trained length, goes from the NTK-aware base to
/// plain division; a second, between 16 and 2 turns, from the unscaled frequency to the first result.
struct NtkByParts {
  static constexpr std::string_view type = "ntk_by_parts";

  Rational factor = 1;               ///< s
  std::int64_t original_length = 1;  ///< n
  CorrectionRange inner;             ///< from the NTK-aware base to division
  CorrectionRange outer;             ///< from the unscaled frequency to the inner result

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const;
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies& unscaled, int pair) const;
  Interval multiplier(const GeometricFrequencies& unscaled, int pair) const;
  bool operator==(const NtkByParts&) const = default;
};

}  // namespace vernier
