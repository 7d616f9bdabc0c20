#pragma once

#include <optional>
#include <vector>

#include "reference/amplitude.hpp"
#include "reference/rope_scaling/pair_treatment.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

class KeyVisitor;

/// LongRoPE (Y. Ding et al. 2024; Phi-3's "su"): w_i / e_i, with one list of divisors for sequences up to the
/// trained length n and another for longer ones. The switch is at L > n: a sequence of exactly n is short.
struct LongRopeScaling {
  static constexpr std::string_view type = "longrope";

  std::vector<Rational> short_factor;  ///< r/2 divisors
  std::vector<Rational> long_factor;   ///< likewise
  std::int64_t original_length = 1;    ///< n
  std::int64_t sequence_length = 1;    ///< L
  Rational factor = 1;                 ///< s, of the amplitude alone
  std::optional<Rational> attention_factor = {};
  std::optional<Rational> short_mscale = {};  ///< Phi-3.5-MoE's amplitudes, one for each list
  std::optional<Rational> long_mscale = {};

  void keys(KeyVisitor& visit, const RotaryContext& context);
  bool is_long() const { return sequence_length > original_length; }
  const std::vector<Rational>& divisors() const { return is_long() ? long_factor : short_factor; }
  std::string summary() const;
  /// The attention factor, or the list's mscale, or sqrt(1 + ln s / ln n) for s > 1.
  Amplitude amplitude() const;
  /// Unchanged where the divisor is one; there is no common factor that others could be said to blend with.
  PairTreatment treatment(const GeometricFrequencies&, int pair) const {
    return divisors()[static_cast<std::size_t>(pair)] == 1 ? PairTreatment::unchanged
                                                           : PairTreatment::divided;
  }
  Rational divided(int pair) const { return 1 / divisors()[static_cast<std::size_t>(pair)]; }
  Interval multiplier(const GeometricFrequencies&, int pair) const { return enclose(divided(pair)); }
  bool operator==(const LongRopeScaling&) const = default;
};

}  // namespace vernier
