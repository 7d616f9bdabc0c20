#pragma once

#include <vector>

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

class KeyVisitor;

/// Llama 3.1's scaling (Meta, llama-models, apply_scaling): a pair that turns more than `high` times within
/// the original length n stays as it is, one that turns less than `low` times is divided by s, and between
/// them the frequency, not the wavelength, is blended: the share divided is (high - n w / 2 pi) / (high -
/// low).
///
/// n w / 2 pi is never exactly a rational threshold, as w is algebraic and pi is not: every pair has a
/// treatment.
struct Llama3Scaling {
  static constexpr std::string_view type = "llama3";

  Rational factor = 1;                         ///< s
  Rational low_freq_factor = 1;                ///< turns
  Rational high_freq_factor = 4;               ///< turns; where it is low_freq_factor no pair is blended
  std::int64_t original_length = 1;            ///< n
  std::vector<PairTreatment> treatments = {};  ///< of each pair

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const;
  Amplitude amplitude() const { return 1; }
  PairTreatment treatment(const GeometricFrequencies&, int pair) const {
    return factor == 1 ? PairTreatment::unchanged : treatments[static_cast<std::size_t>(pair)];
  }
  /// The share of the frequency that is divided: 0, 1 or between.
  Interval share(const GeometricFrequencies& unscaled, int pair) const;
  Rational divided(int /*pair*/) const { return 1 / factor; }
  Interval multiplier(const GeometricFrequencies& unscaled, int pair) const;
  bool operator==(const Llama3Scaling&) const = default;
};

}  // namespace vernier
