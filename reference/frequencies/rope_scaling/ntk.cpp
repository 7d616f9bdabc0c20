#include "reference/frequencies/rope_scaling/ntk.hpp"

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/numbers/powers.hpp"

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

/// Fills a range of pairs that turn between `slow` and `fast` times.
void make_range(KeyVisitor& visit, CorrectionRange& range, const RotaryContext& context,
                std::int64_t original_length, const Rational& fast, const Rational& slow) {
  if (!visit.fills()) {
    return;
  }
  const auto made = CorrectionRange::make(
      {context.rope_theta, context.rotary_dim, original_length, fast, slow, true, context.rotary_dim - 1});
  visit.require_all(
      made && context.rotary_dim >= 4,
      fmt::format("expected pairs that turn between {} and {} times within original_max_position_embeddings",
                  to_string(slow), to_string(fast)));
  range = made.value_or(range);
}

}  // namespace

Interval stretched_base(const Rational& alpha, const GeometricFrequencies& unscaled, int pair) {
  if (alpha == 1 || pair == 0) {
    return enclose(std::int64_t{1});
  }
  const Rational exponent(pair, unscaled.pairs - 1);
  return exponent == 1 ? enclose(Rational(1 / alpha))
                       : Interval(exp(Interval(-enclose(exponent) * log_of(alpha))));
}

PairTreatment stretched_band(const Rational& alpha, const GeometricFrequencies& unscaled, int pair) {
  return alpha == 1 || pair == 0     ? PairTreatment::unchanged
         : pair + 1 < unscaled.pairs ? PairTreatment::blended
                                     : PairTreatment::divided;
}

void StaticNtk::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange stretches{1, 1'000'000'000, "a number from 1 to 1e9"};
  require_two_pairs(visit, context);
  visit.required("alpha", stretch, number(stretches));
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

void MixedNtk::keys(KeyVisitor& visit, const RotaryContext&) {
  static const NumberRange powers{0, 100, "a number above 0, at most 100", true};
  visit_scaling_factor(visit, factor);
  visit.defaulted("mixed_b", mixed_b, number(powers));
}

Interval MixedNtk::multiplier(const GeometricFrequencies& unscaled, int pair) const {
  if (treatment(unscaled, pair) != PairTreatment::blended) {
    return enclose(Rational(1 / factor));
  }
  const Rational place(pair + 1, unscaled.pairs);
  const Interval exponent =
      mixed_b == 1 ? enclose(place) : Interval(exp(Interval(enclose(mixed_b) * log(enclose(place)))));
  return Interval(exp(Interval(-exponent * log_of(factor))));
}

void NtkByParts::keys(KeyVisitor& visit, const RotaryContext& context) {
  visit_original_length(visit, original_length);
  visit_extension(visit, factor, original_length, context);
  make_range(visit, inner, context, original_length, Rational(5, 4), Rational(3, 4));
  make_range(visit, outer, context, original_length, 16, 2);
}

PairTreatment NtkByParts::treatment(const GeometricFrequencies& unscaled, int pair) const {
  if (factor == 1 || outer.treatment(pair) == PairTreatment::unchanged) {
    return PairTreatment::unchanged;
  }
  // The NTK-aware base divides the last pair by the whole factor, so there the inner ramp changes nothing.
  const bool inner_done = inner.treatment(pair) == PairTreatment::divided || pair + 1 == unscaled.pairs;
  return outer.treatment(pair) == PairTreatment::divided && inner_done ? PairTreatment::divided
                                                                       : PairTreatment::blended;
}

Interval NtkByParts::multiplier(const GeometricFrequencies& unscaled, int pair) const {
  const Interval divided = inner.ramp(pair);
  const Interval scaled = outer.ramp(pair);
  const Interval within =
      enclose(Rational(1 / factor)) * divided + stretched_base(factor, unscaled, pair) * (1 - divided);
  return within * scaled + (1 - scaled);
}

}  // namespace vernier
