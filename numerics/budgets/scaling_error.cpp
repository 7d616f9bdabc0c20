#include <cmath>
#include <optional>

#include "numerics/budgets/frequency_error.hpp"

namespace vernier {
namespace {

/// For widths of ranges, which are needed to a few digits.
constexpr unsigned estimate_precision = 64;

/// One pair that is scaled in a format with unit roundoff u.
struct Scaled {
  const GeometricFrequencies& unscaled;
  int pair;
  double u;
  double unscaled_error;  ///< r: of the frequency before
  double multiplier;      ///< m: w' / w

  double turns(std::int64_t length) const {
    return static_cast<double>(length) * unscaled.approximate(pair) / (2 * std::acos(-1.0));
  }
};

/// A divisor is rounded to the format, and so is the quotient; or its reciprocal is rounded as well, for a
/// product.
double divided(const Scaled& at) {
  return compounded(at.unscaled_error, 3 * at.u);
}

/// w (1 - t) + (w / s) t with t off by at most delta. Each term takes a quotient, the rest 1 - t and a
/// product, 4u with the factor's own rounding, and both are positive, so their sum is off by 5u and delta
/// moves it by delta (1 - 1/s) w.
double blended(const Scaled& at, double factor, double delta) {
  return compounded(at.unscaled_error, 5 * at.u + delta * (1 - 1 / factor) / at.multiplier);
}

/// The ramp t = (i - low) / (high - low). Rational ends are integers, or the ramp is a step: one quotient is
/// rounded. Others are r ln(x) / (2 ln b): x is off by 3u (2 pi, a product, a quotient), which the logarithm
/// turns into 3u absolute and adds 2u of its own, as does ln b; with the product, the quotient and the
/// rounding of the result each end is off by 8u of itself and 3u r / (2 ln b). \pre the pair is blended, so
/// that low < i < high
double ramp_error(const CorrectionRange& range, const Scaled& at) {
  const WorkingPrecision precision(estimate_precision);
  const double share = middle(range.ramp(at.pair));
  if (range.rational()) {
    return share * at.u;
  }
  const auto& parameters = range.parameters();
  const double from_argument =
      3 * at.u * parameters.rotary_dim / (2 * std::log(approximately(parameters.base)));
  const double low = middle(range.low());
  const double high = middle(range.high());
  const double ends = 8 * at.u * (std::fabs(low) * (1 - share) + std::fabs(high) * share) + from_argument;
  return ends / (high - low) + 3 * at.u * share;
}

/// Of a rule that says nothing else: its multiplier is a number that is rounded to the format, and multiplies
/// or divides.
template <class Rule>
double error_of(const Rule& rule, const Scaled& at) {
  return treatment_of(rule, at.unscaled, at.pair) == PairTreatment::unchanged ? at.unscaled_error
                                                                              : divided(at);
}

/// The base b alpha^(r/(r-2)): the exponent is rounded, which moves the power by r/(r-2) ln(alpha) u; alpha,
/// the power, the product and the base each add a rounding, the power two. A base off by beta moves its e-th
/// power by e beta.
template <class Ntk>
requires requires(const Ntk& rule) {
  rule.alpha();
}
double error_of(const Ntk& rule, const Scaled& at) {
  const double pairs = at.unscaled.pairs;
  const double stretch = pairs / (pairs - 1);
  const double log_alpha = std::log(approximately(rule.alpha()));
  const double beta = log_alpha == 0 ? 0 : at.u * (stretch * (log_alpha + 1) + 4);
  const double exponent = std::fabs(approximately(at.unscaled.exponent(at.pair)));
  const double growth = std::expm1(exponent * beta + stretch * exponent * log_alpha * 2 * at.u);
  return compounded(at.unscaled_error, growth);
}

double error_of(const YarnScaling& rule, const Scaled& at) {
  switch (rule.treatment(at.unscaled, at.pair)) {
    case PairTreatment::unchanged:
      return at.unscaled_error;
    case PairTreatment::divided:
      return divided(at);
    case PairTreatment::blended:
      break;
  }
  const double factor = approximately(rule.factor);
  const double of_ramp = ramp_error(rule.range, at);
  if (rule.extrapolation == 1) {
    return blended(at, factor, of_ramp);
  }
  // e (1 - t) takes three roundings, of e, of the difference and of the product, and one less it another.
  // Where it is more than 1 the divided term is negative, and the terms are larger than their sum.
  const double share = middle(rule.share(at.pair));
  const double e = approximately(rule.extrapolation);
  const double delta = e * of_ramp + 3 * at.u * (1 - share) + at.u * std::fabs(share);
  const double beyond = share < 0 ? -2 * share / factor / at.multiplier : 0;
  return compounded(blended(at, factor, delta), 5 * at.u * beyond);
}

/// 0.9, the rounded 2 pi, their product and the quotient by L are rounded. The unscaled frequency enters
/// where a phase is divided by the ratio of both.
double error_of(const RiflexScaling& rule, const Scaled& at) {
  return at.pair == rule.pair ? compounded(at.unscaled_error, 4 * at.u) : at.unscaled_error;
}

/// The divisor s^x, x = ln(s) n^-b (i + 1)^b: both logarithms and powers are good to 2u of themselves, a
/// rounded b moves a power by b ln u, and the quotient and the product are rounded. The exponential is good
/// to 2u, and the quotient by it is rounded.
double error_of(const MixedNtk& rule, const Scaled& at) {
  if (rule.factor == 1) {
    return at.unscaled_error;
  }
  const double exponent = -std::log(at.multiplier);
  const double b = approximately(rule.mixed_b);
  const double logarithms = std::log(at.unscaled.pairs) + std::log(at.pair + 1.0);
  return compounded(at.unscaled_error, std::expm1(exponent * (8 + b * logarithms) * at.u) + 3 * at.u);
}

/// Two blends, one within the other, of terms that the stretched base's error bounds; each ramp is a
/// quotient.
double error_of(const NtkByParts& rule, const Scaled& at) {
  if (rule.treatment(at.unscaled, at.pair) == PairTreatment::unchanged) {
    return at.unscaled_error;
  }
  const double stretched = error_of(StaticNtk{rule.factor}, at);
  return compounded(stretched, 10 * at.u + 2 * at.u / at.multiplier);
}

/// The share depends on the frequency itself: n w / 2 pi is off by r + 4u of itself (2 pi, two quotients, n),
/// which moves the share by that over high - low, and three roundings more. A pair so near a threshold that
/// the error may carry it over is blended by as little; where the thresholds coincide it may be divided or
/// not, and there is no bound.
double error_of(const Llama3Scaling& rule, const Scaled& at) {
  const double factor = approximately(rule.factor);
  const double low = approximately(rule.low_freq_factor);
  const double high = approximately(rule.high_freq_factor);
  const double turns = at.turns(rule.original_length);
  const double turns_error = turns * (at.unscaled_error + 4 * at.u);
  const double slack = 2 * turns_error;
  const bool beside_threshold = std::fabs(turns - low) <= slack || std::fabs(turns - high) <= slack;
  const auto treatment = rule.treatment(at.unscaled, at.pair);
  if (low == high && beside_threshold) {
    return infinity;
  }
  if (treatment == PairTreatment::blended || beside_threshold) {
    return blended(at, factor, turns_error / (high - low) + 3 * at.u);
  }
  return treatment == PairTreatment::divided ? divided(at) : at.unscaled_error;
}

/// What a phase is multiplied by, to a few digits; nothing where the scaling is all in the base, or none of
/// this pair, or the frequency is 0.
std::optional<double> phase_multiplier(const ScaledFrequencies& frequencies, int pair) {
  const bool is_in_the_base = std::visit(
      [](const auto& rule) {
        return requires {
          rule.alpha();
        };
      },
      frequencies.scaling);
  if (is_in_the_base || frequencies.treatment(pair) == PairTreatment::unchanged ||
      frequencies.unscaled.approximate(pair) == 0) {
    return std::nullopt;
  }
  const WorkingPrecision precision(estimate_precision);
  const double multiplier = middle(frequencies.multiplier(pair));
  return multiplier == 0 ? std::nullopt : std::optional(multiplier);
}

}  // namespace

double division_error(const ScaledFrequencies& frequencies, int pair, Format format) {
  if (!phase_multiplier(frequencies, pair)) {
    return 0;
  }
  // The ratio is rounded, and so is the quotient.
  const double unscaled = frequency_error(frequencies.unscaled, pair, format);
  return scaling_error(frequencies, pair, format, unscaled) + 2 * traits(format).unit_roundoff();
}

int scaling_roundings(const ScaledFrequencies& frequencies, int pair) {
  const auto multiplier = phase_multiplier(frequencies, pair);
  if (!multiplier) {
    return 0;
  }
  if (frequencies.treatment(pair) == PairTreatment::blended) {
    return std::holds_alternative<YarnScaling>(frequencies.scaling) ? 3 : 1;
  }
  int exponent = 0;
  const bool is_power_of_two = std::frexp(*multiplier, &exponent) == 0.5;
  return is_power_of_two ? 0 : 1;
}

double scaling_error(const ScaledFrequencies& frequencies, int pair, Format format, double unscaled_error) {
  const WorkingPrecision precision(estimate_precision);
  const Scaled at{frequencies.unscaled, pair, traits(format).unit_roundoff(), unscaled_error,
                  middle(frequencies.multiplier(pair))};
  return std::visit([&](const auto& rule) { return error_of(rule, at); }, frequencies.scaling);
}

}  // namespace vernier
