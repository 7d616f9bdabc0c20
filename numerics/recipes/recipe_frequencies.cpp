#include "numerics/recipes/recipe_frequencies.hpp"

#include <cmath>
#include <numbers>

#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// What scaling a value takes: where it is, and in which arithmetic.
struct FrequencyPlace {
  const GeometricFrequencies& unscaled;
  Format format;
  int pair;
  double frequency;

  double rounded(double x) const { return round_to(format, x); }
  double rounded(const Rational& x) const { return rounded(approximately(x)); }
};

/// Of a rule that says nothing else: the frequency times its multiplier, rounded.
template <class Rule>
double scaled_by(const Rule& rule, const FrequencyPlace& at) {
  if (treatment_of(rule, at.unscaled, at.pair) == PairTreatment::unchanged) {
    return at.frequency;
  }
  const WorkingPrecision precision(64);
  return at.rounded(at.frequency * at.rounded(middle(multiplier_of(rule, at.unscaled, at.pair))));
}

double scaled_by(const LinearScaling& rule, const FrequencyPlace& at) {
  return at.rounded(at.frequency / at.rounded(rule.factor));
}

/// The base is stretched, so the frequency already is what it should be.
template <class Ntk>
requires requires(const Ntk& rule) {
  rule.alpha();
}
double scaled_by(const Ntk&, const FrequencyPlace& at) {
  return at.frequency;
}

/// lower (1 - share) + upper share.
double mixed(const FrequencyPlace& at, double share, double lower, double upper) {
  const double rest = at.rounded(1 - share);
  return at.rounded(at.rounded(lower * rest) + at.rounded(upper * share));
}

/// The ramp, its ends computed in binary64 as every implementation does, itself in the format.
double ramp(const CorrectionRange& range, const FrequencyPlace& at) {
  const WorkingPrecision precision(64);
  const double low = at.rounded(middle(range.low()));
  const double high = at.rounded(middle(range.high()));
  const double share = at.rounded(at.rounded(at.pair - low) / at.rounded(high - low));
  return std::fmin(std::fmax(share, 0), 1);
}

double scaled_by(const YarnScaling& rule, const FrequencyPlace& at) {
  double share = ramp(rule.range, at);
  if (rule.extrapolation != 1) {
    share = at.rounded(1 - at.rounded(at.rounded(1 - share) * at.rounded(rule.extrapolation)));
  }
  return mixed(at, share, at.frequency, at.rounded(at.frequency / at.rounded(rule.factor)));
}

double scaled_by(const RiflexScaling& rule, const FrequencyPlace& at) {
  return at.pair == rule.pair ? at.rounded(at.rounded(at.rounded(0.9) * at.rounded(2 * std::numbers::pi)) /
                                           static_cast<double>(rule.length))
                              : at.frequency;
}

double scaled_by(const NtkByParts& rule, const FrequencyPlace& at) {
  const double exponent = static_cast<double>(at.pair) / (at.unscaled.pairs - 1);
  const double stretched =
      at.rounded(at.frequency * at.rounded(std::pow(approximately(rule.factor), -exponent)));
  const double within =
      mixed(at, ramp(rule.inner, at), stretched, at.rounded(at.frequency / at.rounded(rule.factor)));
  return mixed(at, ramp(rule.outer, at), at.frequency, within);
}

double scaled_by(const LongRopeScaling& rule, const FrequencyPlace& at) {
  return at.rounded(at.frequency / at.rounded(rule.divisors()[static_cast<std::size_t>(at.pair)]));
}

double scaled_by(const Llama3Scaling& rule, const FrequencyPlace& at) {
  const auto length = static_cast<double>(rule.original_length);
  const double low = approximately(rule.low_freq_factor);
  const double high = approximately(rule.high_freq_factor);
  const double divided = at.rounded(at.frequency / at.rounded(rule.factor));
  const double wavelength = at.rounded(at.rounded(2 * std::numbers::pi) / at.frequency);
  if (wavelength > length / low) {
    return divided;
  }
  if (wavelength < length / high) {
    return at.frequency;
  }
  const double turns = at.rounded(length / wavelength);
  return mixed(at, at.rounded(at.rounded(turns - low) / at.rounded(high - low)), divided, at.frequency);
}

double scaled_by(const ProportionalScaling& rule, const FrequencyPlace& at) {
  return rule.live(at.pair) ? at.rounded(at.frequency / at.rounded(rule.factor)) : 0;
}

template <class Rule>
double base_under(const Rule&, const GeometricFrequencies& progression) {
  return approximately(progression.base);
}

template <class Ntk>
requires requires(const Ntk& rule) {
  rule.alpha();
}
double base_under(const Ntk& rule, const GeometricFrequencies& progression) {
  const double rotary_dim = 2.0 * progression.pairs;
  return approximately(progression.base) *
         std::pow(approximately(rule.alpha()), rotary_dim / (rotary_dim - 2));
}

}  // namespace

const GeometricFrequencies& progression_from_one(const Frequencies& frequencies, std::string_view who) {
  const auto* scaled = frequencies.scaled();
  const auto* progression = scaled != nullptr ? &scaled->unscaled : frequencies.geometric();
  refuse_if(
      progression == nullptr || progression->offset != 0 || progression->step <= 0,
      "{} is for frequencies that descend from 1 in a geometric progression, and those of this encoding do "
      "not",
      who);
  return *progression;
}

RecipeFrequencies::RecipeFrequencies(const Frequencies& exact, std::string_view who)
    : exact_(exact),
      progression_(progression_from_one(exact, who)),
      scaling_(exact.scaled() != nullptr ? exact.scaled()->scaling : RopeScaling()),
      base_(std::visit([&](const auto& rule) { return base_under(rule, progression_); }, scaling_)) {}

double RecipeFrequencies::scaled(Format format, int pair, double frequency) const {
  const FrequencyPlace at{progression_, format, pair, frequency};
  return std::visit([&](const auto& rule) { return scaled_by(rule, at); }, scaling_);
}

}  // namespace vernier
