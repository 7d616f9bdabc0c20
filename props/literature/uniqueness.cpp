// Whether two positions share a code, and how near codes come back.

#include <algorithm>
#include <string>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// Whether sin(w t) is certainly different at all of t = 0 .. last.
bool sines_differ(const Interval& frequency, std::int64_t last) {
  std::vector<Interval> values;
  for (std::int64_t t = 0; t <= last; ++t) {
    values.push_back(sin(enclose(t) * frequency));
  }
  std::ranges::sort(values, [](const Interval& a, const Interval& b) { return middle(a) < middle(b); });
  // Certainly in ascending order, neighbour by neighbour, they are all different.
  return std::ranges::adjacent_find(values, [](const Interval& a, const Interval& b) {
           return !certainly_less(a, b);
         }) == values.end();
}

/// Theorem T1: for an algebraic w other than 0, sin(w t) = sin(w s) would make w (t - s) or w (t + s) a
/// multiple of pi other than 0, or t = s, on the integers; but pi is transcendental (Lindemann).
void integers(Facts& facts) {
  for (const std::int64_t d : {1, 2, 4, 512}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const int last = frequencies.pairs - 1;
    // base^(-i step) with a rational base and a rational exponent is a root of x^q = base^p.
    facts.add(frequencies.base > 0 && !contains_zero(frequencies.at(last)),
              "d = {}: the frequencies {}^(-i {}) are algebraic and not zero, so the sine of any "
              "pair alone differs at different integers (T1)",
              d, to_string(frequencies.base), to_string(frequencies.step));
    facts.add(sines_differ(frequencies.at(last), 4095),
              "checked for the slowest sine at the positions 0 to 4095");
  }
}

/// "Unique because of the combined frequencies": one suffices.
void first_pair(Facts& facts) {
  facts.add(
      sines_differ(enclose(std::int64_t{1}), 16383),
      "sin(t), the first column alone, differs at all of the positions 0 to 16383, as T1 has it for all "
      "integers");
}

/// Whether 10^exponent is rational: only for integers, as 10 is no perfect power.
bool power_of_ten_is_rational(const Rational& exponent) {
  return denominator(exponent) == 1;
}

/// Where a lone sine has the frequency w and all complete pairs have a common period P, positions with
/// t - s = P and t + s = pi / w share a code; the width 3 is the shortest with both.
void add_odd_widths(Facts& facts) {
  const Interval turn = 8 * atan(enclose(std::int64_t{1}));
  const auto frequencies = SinusoidalSpec{.d_model = 3}.frequencies();
  const Interval lone = frequencies.at(1);
  const Interval t = (turn / (2 * lone) + turn) / 2;
  const Interval s = (turn / (2 * lone) - turn) / 2;
  const auto vanishes = [](const Interval& x) { return greatest_magnitude(x) < 0x1p-100; };
  facts.add(certainly_less(s, t) && vanishes(sin(t) - sin(s)) && vanishes(cos(t) - cos(s)) &&
                vanishes(sin(lone * t) - sin(lone * s)) && rounds_to_decimal(t, "732.24066") &&
                rounds_to_decimal(s, "725.95748"),
            "d = 3: t = {} and s = {} share a code, as t - s = 2 pi and w (t + s) = pi for the "
            "lone sine's w; its ratio to the pair's frequency is irrational all the same",
            digits(t, 8), digits(s, 8));
  bool irrational = true;
  for (std::int64_t d = 5; d <= 511; d += 2) {
    irrational &= !power_of_ten_is_rational(4 * SinusoidalSpec{.d_model = d}.frequencies().step);
  }
  facts.add(irrational, "odd d from 5 to 511: the first two pairs, complete both, have an irrational ratio");
}

/// Theorem T2: on the reals, two pairs return together exactly if the ratio of their frequencies is
/// rational; a common period exists if all ratios are. Of a lone sine it says nothing.
void reals(Facts& facts) {
  std::string periodic;
  bool as_said = true;
  for (std::int64_t d = 2; d <= 512; d += 2) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    bool rational = true;
    for (int pair = 0; pair < frequencies.pairs; ++pair) {
      rational &= power_of_ten_is_rational(4 * pair * frequencies.step);
    }
    as_said &= rational == (d == 2 || d == 4 || d == 8);
    periodic += rational ? std::string(" ") + std::to_string(d) : "";
  }
  facts.add(as_said, "for base 10000 and even d up to 512 all frequencies have rational ratios only at d ={}",
            periodic);
  for (const auto& [d, turns] : {std::pair{2, 1}, std::pair{4, 100}, std::pair{8, 1000}}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval period = 8 * turns * atan(enclose(std::int64_t{1}));
    bool returns = true;
    for (int pair = 0; pair < frequencies.pairs; ++pair) {
      returns &= contains_zero(sin(period * frequencies.at(pair))) &&
                 contains(cos(period * frequencies.at(pair)), 1);
    }
    facts.add(returns, "d = {} repeats after {} positions", d, digits(period, 8));
  }
  add_odd_widths(facts);
}

std::vector<Interval> frequencies_of(std::int64_t d) {
  return SinusoidalSpec{.d_model = d}.frequencies().enclosures();
}

/// g(k) / (d/2)
Interval share(const std::vector<Interval>& frequencies, std::int64_t k) {
  Interval sum = 0;
  for (const auto& w : frequencies) {
    sum += cos(enclose(k) * w);
  }
  return sum / enclose(static_cast<std::int64_t>(frequencies.size()));
}

/// A number c with |mean over k = 1 .. K of (g(k)/N)^2 - 1/(2N)| <= c/K for every K, N pairs being there; an
/// infinite interval if the enclosures do not separate the frequencies.
///
/// g(k)^2 is the sum over i and j of (cos((w_i - w_j) k) + cos((w_i + w_j) k)) / 2. The terms with w_i - w_j
/// = 0 make N/2. Of every other one, |sum over k = 1 .. K of cos(a k)| <= 1/|sin(a/2)| (Dirichlet's kernel).
Interval distance_from_limit(const std::vector<Interval>& frequencies) {
  Interval sum = 0;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    for (std::size_t j = 0; j < frequencies.size(); ++j) {
      sum += 1 / abs(sin(Interval((frequencies[i] + frequencies[j]) / 2)));
      if (i != j) {
        sum += 1 / abs(sin(Interval((frequencies[i] - frequencies[j]) / 2)));
      }
    }
  }
  const auto pairs = enclose(static_cast<std::int64_t>(frequencies.size()));
  return sum / (2 * pairs * pairs);
}

/// Theorem T9: at finite width the dot product of two codes does not die out.
/// That offsets come back as near as one likes for every d is Dirichlet's theorem on simultaneous
/// approximation: some k takes all k w_i as near to whole turns as one likes, and so does a larger one after
/// it. Shown are offsets that do, and the mean square, which needs no more than that no w_i + w_j and no w_i
/// - w_j with i != j is a multiple of 2 pi.
void recurrence(Facts& facts) {
  for (const auto& [d, k] : facts.figures<std::int64_t, std::int64_t>()) {
    const Interval value = share(frequencies_of(d), k);
    facts.add(certainly_less(enclose(0.9999), value), "d = {}: g({})/(d/2) = {}", d, k, digits(value, 6));
  }
  for (const std::int64_t d : {2, 4, 8, 16, 64, 256}) {
    const Interval bound = distance_from_limit(frequencies_of(d));
    facts.add(certainly_less(bound, enclose(1e9)),
              "d = {}: the mean square of g/(d/2) over k = 1 to K differs from 1/d by at most {}/K", d,
              digits(bound, 3));
  }
}

}  // namespace

std::vector<Evidence> uniqueness_evidence() {
  return {
      {"uniqueness/integers", integers},
      {"uniqueness/first-pair", first_pair},
      {"uniqueness/reals", reals},
      {"returns/recurrence", recurrence},
  };
}

}  // namespace vernier
