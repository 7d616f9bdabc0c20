#pragma once

#include <fmt/core.h>

#include "reference/frequencies/rope_scaling/correction_range.hpp"
#include "reference/frequencies/rope_scaling/scaling_rule.hpp"

namespace vernier {

/// alpha^(-2i/(r - 2)): what the base b alpha^(r/(r-2)) makes of b^(-2i/r). The first pair stays as it is,
/// the last is divided by alpha exactly (bloc97, "NTK-aware scaled RoPE", 2023).
Interval stretched_base(const Rational& alpha, const GeometricFrequencies& unscaled, int pair);
/// Unchanged at the first pair, divided at the last.
PairTreatment stretched_band(const Rational& alpha, const GeometricFrequencies& unscaled, int pair);

/// The base stretched by a fixed factor: jquesnelle/yarn's LlamaNTKScaledRotaryEmbedding, and what HunYuan's
/// configurations call "dynamic" with an alpha.
struct StaticNtk {
  static constexpr std::string_view type = "ntk";

  Rational stretch = 1;  ///< alpha

  void keys(KeyVisitor& visit, const RotaryContext& context);
  const Rational& alpha() const { return stretch; }
  std::string summary() const;
  bool operator==(const StaticNtk&) const = default;
};

/// Hugging Face's dynamic NTK: alpha = s max(L, n) / n - (s - 1), with n the length that the model was
/// trained with (modeling_rope_utils.py, _compute_dynamic_ntk_parameters). Within n nothing changes.
struct DynamicNtk {
  static constexpr std::string_view type = "dynamic";

  Rational factor = 1;               ///< s
  std::int64_t original_length = 1;  ///< n
  std::int64_t sequence_length = 1;  ///< L

  void keys(KeyVisitor& visit, const RotaryContext& context);
  Rational alpha() const;
  std::string summary() const;
  bool operator==(const DynamicNtk&) const = default;
};

/// Qwen's first generation (use_dynamic_ntk): alpha = 2^ceil(log2(L/n) + 1) - 1 beyond n, else 1
/// (modeling_qwen.py, get_ntk_alpha). A length that is n times a power of two lies exactly on an edge, where
/// the ceiling of a rounded logarithm may go either way; integers decide it here.
struct QwenDynamicNtk {
  static constexpr std::string_view type = "dynamic_qwen";

  std::int64_t original_length = 1;  ///< n
  std::int64_t sequence_length = 1;  ///< L

  void keys(KeyVisitor& visit, const RotaryContext& context);
  Rational alpha() const;
  /// Whether L/n is a power of two.
  bool on_edge() const;
  std::string summary() const;
  bool operator==(const QwenDynamicNtk&) const = default;
};

/// NTK with mixed bases (J. Su, kexue.fm/archives/9706; vLLM, NTKScalingRotaryEmbedding, whose rope_type is
/// "ntk" with "mixed_b"): of n pairs, w_i / s^(((i + 1)/n)^b). With b = 1 it is what vLLM makes without
/// mixed_b: the base times s, and each frequency divided by s^(2/r).
struct MixedNtk {
  static constexpr std::string_view type = "ntk_mixed";

  Rational factor = 1;   ///< s
  Rational mixed_b = 1;  ///< b

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const {
    return fmt::format("NTK of mixed bases by {}, power {}", to_string(factor), to_string(mixed_b));
  }
  PairTreatment treatment(const GeometricFrequencies& unscaled, int pair) const {
    return factor == 1                 ? PairTreatment::unchanged
           : pair + 1 < unscaled.pairs ? PairTreatment::blended
                                       : PairTreatment::divided;
  }
  Rational divided(int /*pair*/) const { return 1 / factor; }
  Interval multiplier(const GeometricFrequencies& unscaled, int pair) const;
  bool operator==(const MixedNtk&) const = default;
};

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
  std::string summary() const {
    return fmt::format("NTK-by-parts by {} of {}", to_string(factor), original_length);
  }
  PairTreatment treatment(const GeometricFrequencies& unscaled, int pair) const;
  Interval multiplier(const GeometricFrequencies& unscaled, int pair) const;
  bool operator==(const NtkByParts&) const = default;
};

}  // namespace vernier
