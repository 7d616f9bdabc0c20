#include "reference/rope_scaling/ntk.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/scaling_parameters.hpp"

namespace vernier {
namespace {

/// A base can be stretched only where there is a last pair other than the first: r/(r - 2).
void require_two_pairs(KeyVisitor& visit, const RotaryContext& context) {
  visit.require_all(context.rotary_dim >= 4,
                    "expected at least 4 rotating dimensions for a scaling of the base, not " +
                        std::to_string(context.rotary_dim));
}

constexpr std::string_view what_for = "as the frequencies depend on the length";

std::string stretch_text(const Rational& alpha) {
  return alpha == 1 ? std::string("the base unchanged") : "alpha " + to_string(alpha);
}

}  // namespace

Interval stretched_base(const Rational& alpha, const GeometricFrequencies& unscaled, int pair) {
  if (alpha == 1 || pair == 0) {
    return enclose(std::int64_t{1});
  }
  const Rational exponent(pair, unscaled.pairs - 1);
  return exponent == 1 ? enclose(Rational(1 / alpha))
                       : Interval(exp(Interval(-enclose(exponent) * log(enclose(alpha)))));
}

PairTreatment stretched_band(const Rational& alpha, const GeometricFrequencies& unscaled, int pair) {
  return alpha == 1 || pair == 0     ? PairTreatment::unchanged
         : pair + 1 < unscaled.pairs ? PairTreatment::blended
                                     : PairTreatment::divided;
}

void StaticNtk::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange stretches{1, 1'000'000'000, "a number from 1 to 1e9"};
  require_two_pairs(visit, context);
  visit.required({"alpha", "what the last frequency is divided by"}, stretch, number(stretches));
}

std::string StaticNtk::summary() const {
  return "NTK-aware base, " + stretch_text(alpha());
}

void DynamicNtk::keys(KeyVisitor& visit, const RotaryContext& context) {
  require_two_pairs(visit, context);
  visit_scaling_factor(visit, factor);
  visit_original_length(visit, original_length, context);
  take_length(visit, sequence_length, context, what_for);
}

Rational DynamicNtk::alpha() const {
  const auto length = std::max(sequence_length, original_length);
  return factor * Rational(length, original_length) - (factor - 1);
}

std::string DynamicNtk::summary() const {
  return fmt::format("dynamic NTK by {} of {}, length {}: {}", to_string(factor), original_length,
                     sequence_length, stretch_text(alpha()));
}

void QwenDynamicNtk::keys(KeyVisitor& visit, const RotaryContext& context) {
  require_two_pairs(visit, context);
  visit_original_length(visit, original_length, context);
  take_length(visit, sequence_length, context, what_for);
}

Rational QwenDynamicNtk::alpha() const {
  // 2^ceil(log2(L/n) + 1) is twice the least power of two that reaches L/n.
  std::int64_t power = 1;
  while (power * original_length < sequence_length) {
    power *= 2;
  }
  return sequence_length > original_length ? Rational(2 * power - 1) : Rational(1);
}

bool QwenDynamicNtk::on_edge() const {
  const auto quotient = as_integer(Rational(sequence_length, original_length));
  return quotient && (*quotient & (*quotient - 1)) == 0 && *quotient > 1;
}

std::string QwenDynamicNtk::summary() const {
  return fmt::format("dynamic NTK as in Qwen 1 from {}, length {}: {}{}", original_length, sequence_length,
                     stretch_text(alpha()), on_edge() ? ", exactly on an edge of the rule" : "");
}

}  // namespace vernier
