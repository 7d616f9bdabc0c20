#pragma once

#include <optional>
#include <vector>

#include "reference/frequencies/rope_scaling/correction_range.hpp"
#include "reference/frequencies/rope_scaling/scaling_rule.hpp"

namespace vernier {

/// YaRN (B. Peng et al. 2023): w_i ((1 - t_i) + t_i / s) with the ramp t of the correction range, and an
/// amplitude. Parameters have the names and the meaning of Hugging Face's modeling_rope_utils.py,
/// _compute_yarn_parameters, which is that of the authors' code; DeepSeek's own and gpt-oss's agree.
struct YarnScaling {
  static constexpr std::string_view type = "yarn";

  /// How far up the high end of the correction range may go: rotary_dim: r - 1 (the authors', Hugging Face,
  /// DeepSeek, ggml). pairs: r/2 - 1 (litgpt, KerasHub before 2025). Where that carries the high end past the
  /// low one, ggml's ramp differs: it is a step at the low end, as its length is at least 0.001.
  enum class Clamp { rotary_dim, pairs };

  Rational factor = 1;               ///< s
  std::int64_t original_length = 1;  ///< n
  Clamp clamp = Clamp::rotary_dim;
  std::optional<Rational> mscale = {};            ///< zero is as good as absent
  std::optional<Rational> mscale_all_dim = {};    ///< likewise
  std::optional<Rational> attention_factor = {};  ///< the amplitude, in place of what follows from s
  CorrectionRange range = {};                     ///< with beta_fast, beta_slow and truncate
  /// e: the share that is not divided is e (1 - t). The authors' code, vLLM's, Grok's (SGLang,
  /// ScalingRotaryEmbedding, whose amplitude is 1) and ggml's (ext_factor) have it; that of others is 1.
  Rational extrapolation = 1;

  void keys(KeyVisitor& visit, const RotaryContext& context);
  std::string summary() const;
  /// The attention factor; else (m(mscale) / m(mscale_all_dim)) if both are given, else m(1), with m(k) = 1 +
  /// (k/10) ln s.
  Amplitude amplitude() const;
  PairTreatment treatment(const GeometricFrequencies&, int pair) const;
  /// The share of the frequency that is divided: t, or 1 - e (1 - t), which is negative where e is large.
  Interval share(int pair) const;
  Rational divided(int /*pair*/) const { return 1 / factor; }
  Interval multiplier(const GeometricFrequencies&, int pair) const {
    return partly_divided(share(pair), factor);
  }
  bool operator==(const YarnScaling&) const = default;
};

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
  PairTreatment treatment(const GeometricFrequencies&, int pair) const {
    return factor == 1 ? PairTreatment::unchanged : treatments[static_cast<std::size_t>(pair)];
  }
  /// The share of the frequency that is divided: 0, 1 or between.
  Interval share(const GeometricFrequencies& unscaled, int pair) const;
  Rational divided(int /*pair*/) const { return 1 / factor; }
  Interval multiplier(const GeometricFrequencies& unscaled, int pair) const {
    return partly_divided(share(unscaled, pair), factor);
  }
  bool operator==(const Llama3Scaling&) const = default;
};

}  // namespace vernier
