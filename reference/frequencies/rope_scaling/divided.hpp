#pragma once

#include <optional>
#include <vector>

#include <fmt/core.h>

#include "reference/frequencies/rope_scaling/scaling_rule.hpp"
#include "reference/numbers/constant.hpp"

namespace vernier {

/// RoPE as published: no scaling.
struct Unscaled {
  static constexpr std::string_view type = "default";

  void keys(KeyVisitor&, const RotaryContext&) {}
  std::string summary() const { return "unscaled"; }
  Rational divided(int /*pair*/) const { return 1; }
  bool operator==(const Unscaled&) const = default;
};

/// Position interpolation: w_i / s (S. Chen et al. 2023; kaiokendev).
struct LinearScaling {
  static constexpr std::string_view type = "linear";

  Rational factor = 1;  ///< s

  void keys(KeyVisitor& visit, const RotaryContext&) { visit_scaling_factor(visit, factor); }
  std::string summary() const { return "linear scaling by " + to_string(factor); }
  Rational divided(int /*pair*/) const { return 1 / factor; }
  bool operator==(const LinearScaling&) const = default;
};

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
  Rational divided(int pair) const { return live(pair) ? Rational(1 / factor) : Rational(0); }
  bool operator==(const ProportionalScaling&) const = default;
};

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
  Rational divided(int pair) const { return 1 / divisors()[static_cast<std::size_t>(pair)]; }
  bool operator==(const LongRopeScaling&) const = default;
};

/// RIFLEx (M. Zhao et al. 2025; thu-ml/RIFLEx, riflex_utils.py): one pair, the k-th, by which a video repeats
/// itself first, is slowed down so that it does not turn once within L frames: w = 0.9 (2 pi/L).
struct RiflexScaling {
  static constexpr std::string_view type = "riflex";

  std::int64_t pair = 0;    ///< from 0: k - 1
  std::int64_t length = 2;  ///< L

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const {
    return fmt::format("RIFLEx, pair {} turns 9/10 of a turn in {}", pair, length);
  }
  /// What takes the place of the pair's own frequency, or nothing of any other pair.
  std::optional<Constant> replaced(int of) const {
    return of == pair ? std::optional(Constant{Rational(9, 5) / length, 1}) : std::nullopt;
  }
  PairTreatment treatment(const GeometricFrequencies&, int of) const {
    return of == pair ? PairTreatment::blended : PairTreatment::unchanged;
  }
  Interval multiplier(const GeometricFrequencies& unscaled, int of) const;
  bool operator==(const RiflexScaling&) const = default;
};

}  // namespace vernier
