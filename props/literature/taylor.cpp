#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/second_order.hpp"
#include "props/literature/self_attention.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// The remainder at the smallest step is about 2^-50 of f, and is wanted to many digits.
constexpr unsigned precision = 320;
constexpr Eigen::Index taylor_width = 4;
constexpr std::size_t taylor_tokens = 5;
constexpr std::size_t token_m = 1;
constexpr std::size_t token_n = 3;

/// A number that attention makes of its tokens: the sum of the outputs in fixed proportions.
template <class Number>
Number read_out(const Tokens<Number>& x) {
  const AttentionWeights weights{pseudo_random_rationals(taylor_width, taylor_width, 11),
                                 pseudo_random_rationals(taylor_width, taylor_width, 12),
                                 pseudo_random_rationals(taylor_width, taylor_width, 13)};
  const RationalMatrix proportions = pseudo_random_rationals(taylor_tokens, taylor_width, 15);
  Number sum(Interval(0));
  const auto y = self_attention(x, weights);
  for (std::size_t token = 0; token < y.size(); ++token) {
    for (std::size_t i = 0; i < y[token].size(); ++i) {
      const auto& factor = proportions(static_cast<Eigen::Index>(token), static_cast<Eigen::Index>(i));
      sum = sum + y[token][i] * Number(enclose(factor));
    }
  }
  return sum;
}

/// The tokens with `at_m` and `at_n` times the encodings of the positions m and n added to tokens m and n.
template <class Number>
Tokens<Number> perturbed(const Number& at_m, const Number& at_n) {
  const RationalMatrix tokens = pseudo_random_rationals(taylor_tokens, taylor_width, 14);
  const TrigCode code(SinusoidalSpec{.d_model = taylor_width}.table());
  Tokens<Number> x(taylor_tokens);
  for (std::size_t token = 0; token < taylor_tokens; ++token) {
    for (Eigen::Index i = 0; i < taylor_width; ++i) {
      x[token].push_back(Number(enclose(tokens(static_cast<Eigen::Index>(token), i))));
    }
  }
  for (const auto& [token, factor] : {std::pair{token_m, at_m}, std::pair{token_n, at_n}}) {
    const auto p = code.code(static_cast<std::int64_t>(token));
    for (std::size_t i = 0; i < x[token].size(); ++i) {
      x[token][i] = x[token][i] + factor * Number(p(static_cast<Eigen::Index>(i)));
    }
  }
  return x;
}

/// f with both encodings scaled by h.
Interval value_at(const Interval& h) {
  return read_out(perturbed(h, h));
}

/// The six terms of equation (4), as coefficients of the scales of p_m and p_n.
SecondOrder six_terms() {
  SecondOrder at_m(Interval(0));
  at_m.s = 1;
  SecondOrder at_n(Interval(0));
  at_n.t = 1;
  return read_out(perturbed(at_m, at_n));
}

/// What the six terms leave of f at the scale h, with the cross term multiplied by `factor`.
Interval remainder(const SecondOrder& terms, const Interval& h, const Interval& factor) {
  return value_at(h) - terms.constant - h * (terms.s + terms.t) -
         h * h * (terms.ss + factor * terms.st + terms.tt);
}

/// remainder(h) / remainder(h/2), h = 2^-exponent: 8 in the limit where the first term left is of the third
/// order, 4 where one of the second order is wrong.
Interval ratio(const SecondOrder& terms, int exponent, const Interval& factor) {
  const Interval h = ldexp(Interval(1), -exponent);
  return remainder(terms, h, factor) / remainder(terms, h / 2, factor);
}

/// Equation (4): f to the second order in p_m and p_n, whose only term with both is p_m^T (d^2 f / dx_m dx_n)
/// p_n, with the factor 1.
void expansion(Facts& facts) {
  const WorkingPrecision scope(precision);
  const auto terms = six_terms();
  facts.add(!contains_zero(terms.st),
            "f a sum of attention's outputs, m = 1, n = 3: the cross term is {}, not 0", digits(terms.st, 6));
  std::vector<std::string> ratios;
  bool approaches = true;
  Interval before = abs(ratio(terms, 4, Interval(1)) - 8);
  for (int exponent = 5; exponent <= 12; ++exponent) {
    const Interval now = ratio(terms, exponent, Interval(1));
    const Interval distance = abs(now - 8);
    approaches &= certainly_less(distance, before);
    before = distance;
    ratios.push_back(digits(now, 5));
  }
  facts.add(approaches && certainly_less(before, Interval(0.02)),
            "each time the encodings are halved the remainder shrinks by a factor that approaches 8, so it "
            "is of the third order: {}",
            joined(ratios));
  const Interval halved = ratio(terms, 12, Interval(0.5));
  facts.add(certainly_less(abs(halved - 4), Interval(0.02)),
            "with half the cross term it shrinks by {}, so an error of the second order would show",
            digits(halved, 5));
}

/// "The expansion needs p to be small."
void small_perturbation(Facts& facts) {
  const WorkingPrecision scope(precision);
  const auto terms = six_terms();
  const auto share = [&](int exponent) -> Interval {
    const Interval h = ldexp(Interval(1), -exponent);
    return abs(remainder(terms, h, Interval(1)) / (h * h * terms.st));
  };
  facts.add(certainly_less(Interval(0.5), share(0)),
            "at full size, |p| = sqrt(d/2), what the expansion leaves out is {} times the cross "
            "term it is made for",
            digits(share(0), 3));
  facts.add(certainly_less(share(10), Interval(0.01)), "at 1/1024 of that size it is {} times",
            digits(share(10), 3));
  const Interval norm = sqrt(enclose(std::int64_t{256}));
  const Interval unit_embedding = sqrt(enclose(std::int64_t{512}));
  facts.add(rounds_to_decimal(norm / unit_embedding, "0.7071") && contains(norm, 16),
            "d = 512: |p| = 16 is 0.7071 of the root mean square norm of an embedding of unit variance: not "
            "small");
  const Interval scaled = norm / (unit_embedding * unit_embedding);
  facts.add(contains(scaled, Rational(1, 32)),
            "after the embedding is multiplied by sqrt(d) it is 1/32 of it");
}

}  // namespace

std::vector<Evidence> taylor_evidence() {
  return {
      {"attention/taylor", expansion},
      {"attention/small-perturbation", small_perturbation},
  };
}

}  // namespace vernier
