#pragma once

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

class KeyVisitor;

/// Position interpolation: w_i / s (S. Chen et al. 2023; kaiokendev).
struct LinearScaling {
  static constexpr std::string_view type = "linear";

  Rational factor = 1;  ///< s

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const;
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies&, int) const {
    return factor == 1 ? PairTreatment::unchanged : PairTreatment::divided;
  }
  Rational divided(int /*pair*/) const { return 1 / factor; }
  Interval multiplier(const GeometricFrequencies&, int pair) const { return enclose(divided(pair)); }
  bool operator==(const LinearScaling&) const = default;
};

}  // namespace vernier
