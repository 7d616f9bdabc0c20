#include <algorithm>
#include <array>

#include "props/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/matrix/models/trig_code.hpp"
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
EvidenceResult integers() {
  const WorkingPrecision scope(high_precision);
  Facts facts;
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
  return facts.conclude(Ruling::holds);
}

/// "Unique because of the combined frequencies": one suffices.
EvidenceResult first_pair() {
  const WorkingPrecision scope(high_precision);
  Facts facts;
  facts.add(
      sines_differ(enclose(std::int64_t{1}), 16383),
      "sin(t), the first column alone, differs at all of the positions 0 to 16383, as T1 has it for all "
      "integers");
  return facts.conclude(Ruling::holds);
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
EvidenceResult reals() {
  const WorkingPrecision scope(high_precision);
  Facts facts;
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
  return facts.conclude(Ruling::holds);
}

}  // namespace

std::vector<Evidence> uniqueness_evidence() {
  return {
      {"uniqueness/integers", "whether rows differ at different integer positions, in exact arithmetic",
       Method::exact, integers},
      {"uniqueness/first-pair", "whether the first column alone tells positions apart", Method::exact,
       first_pair},
      {"uniqueness/reals", "for which widths the code is periodic or has collisions on the real line",
       Method::exact, reals},
  };
}

}  // namespace vernier
