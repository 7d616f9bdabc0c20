#pragma once

#include <cmath>

#include "numerics/program/declared.hpp"

// What a RoPE scaling makes of a frequency, in any arithmetic, by the operations of Hugging Face's
// modeling_rope_utils.py. A scaling without a function here is a multiplier that is rounded once.
namespace vernier::program {

/// A frequency that is to be scaled. \tparam A the arithmetic
template <class A>
struct ScaledFrom {
  const A& in;
  const GeometricFrequencies& progression;
  int pair;
  typename A::Number frequency;

  auto divided(const Rational& factor) const { return in.div(frequency, in.number(Known(factor))); }
};

/// a (1 - t) + b t
template <class A>
auto mixed(const A& in, const typename A::Number& share, const typename A::Number& a,
           const typename A::Number& b) {
  return in.each(share,
                 [&](const auto& t) { return in.add(in.mul(a, in.sub(in.integer(1), t)), in.mul(b, t)); });
}

/// The ramp between the rounded ends of a correction range, clamped to [0, 1].
template <class A>
auto ramp(const CorrectionRange& range, const ScaledFrom<A>& at) {
  using Number = typename A::Number;
  const auto& in = at.in;
  const Number zero = in.integer(0);
  const Number one = in.integer(1);
  const Number low = in.once([&] { return range.low(); });
  const Number high = in.once([&] { return range.high(); });
  const Number share = in.div(in.sub(in.integer(at.pair), low), in.sub(high, low));
  return in.if_less(
      share, zero, [&] { return zero; },
      [&] {
        return in.if_less(
            one, share, [&] { return one; }, [&] { return share; });
      });
}

template <class Rule, class A>
auto scaled_by(const Rule& rule, const ScaledFrom<A>& at) {
  if constexpr (requires { rule.alpha(); }) {
    return at.frequency;  // of a base that was stretched
  } else {
    return treatment_of(rule, at.progression, at.pair) == PairTreatment::unchanged
               ? at.frequency
               : at.in.mul(at.frequency,
                           at.in.once([&] { return multiplier_of(rule, at.progression, at.pair); }));
  }
}

template <class A>
auto scaled_by(const Unscaled& /*rule*/, const ScaledFrom<A>& at) {
  return at.frequency;
}

template <class A>
auto scaled_by(const LinearScaling& rule, const ScaledFrom<A>& at) {
  return at.divided(rule.factor);
}

template <class A>
auto scaled_by(const ProportionalScaling& rule, const ScaledFrom<A>& at) {
  return rule.live(at.pair) ? at.divided(rule.factor) : at.in.integer(0);
}

template <class A>
auto scaled_by(const LongRopeScaling& rule, const ScaledFrom<A>& at) {
  return at.divided(rule.divisors()[static_cast<std::size_t>(at.pair)]);
}

template <class A>
auto scaled_by(const YarnScaling& rule, const ScaledFrom<A>& at) {
  const auto& in = at.in;
  auto share = ramp(rule.range, at);
  if (rule.extrapolation != 1) {
    const auto one = in.integer(1);
    share = in.sub(one, in.mul(in.sub(one, share), in.number(Known(rule.extrapolation))));
  }
  return mixed(in, share, at.frequency, at.divided(rule.factor));
}

template <class A>
auto scaled_by(const RiflexScaling& rule, const ScaledFrom<A>& at) {
  const auto& in = at.in;
  return at.pair == rule.pair ? in.div(in.mul(in.number(Known(Rational(9, 10))), in.two_pi()),
                                       in.unrounded(Known(rule.length)))
                              : at.frequency;
}

template <class A>
auto scaled_by(const NtkByParts& rule, const ScaledFrom<A>& at) {
  const auto& in = at.in;
  const auto wide = in.scalars();
  const auto exponent = wide.div(wide.integer(at.pair), wide.integer(at.progression.pairs - 1));
  const auto multiplier = in.own(wide.pow(wide.number(Known(rule.factor)), wide.negated(exponent)));
  const auto inner =
      mixed(in, ramp(rule.inner, at), in.mul(at.frequency, multiplier), at.divided(rule.factor));
  return mixed(in, ramp(rule.outer, at), at.frequency, inner);
}

template <class A>
auto scaled_by(const Llama3Scaling& rule, const ScaledFrom<A>& at) {
  using Number = typename A::Number;
  const auto& in = at.in;
  const auto wide = in.scalars();
  const Known length(rule.original_length);
  const Known low(rule.low_freq_factor);
  const Known high(rule.high_freq_factor);
  const Number divided = at.divided(rule.factor);
  const Number wavelength = in.div(in.two_pi(), at.frequency);
  const auto kept = [&] { return at.frequency; };
  const auto is_divided = [&] { return divided; };
  const auto blended = [&] {
    const Number turns = in.div(in.unrounded(length), wavelength);
    const Number share =
        in.div(in.sub(turns, in.unrounded(low)), in.own(wide.sub(wide.number(high), wide.number(low))));
    return mixed(in, share, divided, at.frequency);
  };
  return in.if_less(wide.div(wide.number(length), wide.number(low)), wavelength, is_divided, [&] {
    return in.if_less(wavelength, wide.div(wide.number(length), wide.number(high)), kept, blended);
  });
}

/// What the declared scaling makes of the frequency of a pair.
template <class A>
typename A::Number scaled(const A& in, const Declared& declared, int pair,
                          const typename A::Number& frequency) {
  const ScaledFrom<A> at{in, declared.progression, pair, frequency};
  return std::visit([&](const auto& rule) -> typename A::Number { return scaled_by(rule, at); },
                    declared.scaling);
}

/// The base in float64, stretched where the scaling does that: b alpha^(r/(r - 2)), as configurations are
/// read.
template <class A>
typename A::Number wide_base(const A& in, const Declared& declared) {
  const auto wide = in.scalars();
  const auto base = wide.number(declared.base);
  return std::visit(
      [&](const auto& rule) -> typename A::Number {
        if constexpr (requires { rule.alpha(); }) {
          const int rotary_dim = 2 * declared.pairs();
          const auto exponent = wide.div(wide.integer(rotary_dim), wide.integer(rotary_dim - 2));
          return wide.mul(base, wide.pow(wide.number(Known(rule.alpha())), exponent));
        } else {
          return base;
        }
      },
      declared.scaling);
}

}  // namespace vernier::program
