#pragma once

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

class KeyVisitor;

/// Gemma 4's partial rotation (Hugging Face, _compute_proportional_rope_parameters): exponents and pairing
/// are those of the whole head, and the frequencies beyond the live pairs are exactly zero. Not to be
/// confused with a rotary_dim below head_dim, where exponents and pairing are those of the part.
struct ProportionalScaling {
  static constexpr std::string_view type = "proportional";
  /// The rotation is over the whole head, whatever part of it is live.
  static constexpr bool spans_head = true;

  int live_pairs = 0;   ///< [1, head_dim/2]
  Rational factor = 1;  ///< s

  void keys(KeyVisitor& visit, const RotaryContext& context);
  bool live(int pair) const { return pair < live_pairs; }
  std::string summary() const;
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies&, int pair) const {
    return live(pair) && factor == 1 ? PairTreatment::unchanged : PairTreatment::divided;
  }
  Rational divided(int pair) const { return live(pair) ? Rational(1 / factor) : Rational(0); }
  Interval multiplier(const GeometricFrequencies&, int pair) const { return enclose(divided(pair)); }
  bool operator==(const ProportionalScaling&) const = default;
};

}  // namespace vernier
