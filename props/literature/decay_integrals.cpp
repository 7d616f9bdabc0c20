// The mean of cos(x theta_t) over families of frequencies: what the dot product of two rows becomes when the
// number of pairs grows without bound.

#include <cmath>
#include <string_view>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/decay/smooth_function.hpp"
#include "reference/decay/theta_family.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

Interval at(const ThetaFamily& family, const Rational& x) {
  return family.mean_cosine(enclose(x));
}

void add_printed_values(Facts& facts) {
  const auto family = exponential_family(10000);
  for (const auto& [x, decimal] : facts.figures<std::int64_t, std::string>()) {
    const Interval value = at(family, x);
    facts.add(rounds_to_decimal(value, decimal), "f({}) = {}", x, digits(value, 12));
  }
}

/// How far the exponential family's integral rises between its m-th pair of stationary points: cos x =
/// cos(x/c) at x = 2 pi m / (1 + 1/c), a minimum, and at 2 pi m / (1 - 1/c), a maximum.
Interval rise(const ThetaFamily& family, const Rational& base, std::int64_t m) {
  const Interval turn = 2 * m * pi();
  const Interval low = turn / enclose(Rational(1 + 1 / base));
  const Interval high = turn / enclose(Rational(1 - 1 / base));
  return family.mean_cosine(high) - family.mean_cosine(low);
}

/// "The plot on [-128, 128] shows decay."
void curve(Facts& facts) {
  const auto family = exponential_family(10000);
  add_printed_values(facts);
  const Interval at_pi = family.mean_cosine(pi());
  const Interval at_turn = family.mean_cosine(Interval(2 * pi()));
  facts.add(rounds_to_decimal(at_pi, "0.8210405") && rounds_to_decimal(at_turn, "0.7353352"),
            "f(pi) = {}, f(2 pi) = {}", digits(at_pi, 7), digits(at_turn, 7));
  Interval total = enclose(std::int64_t{0});
  bool all_rise = true;
  for (std::int64_t m = 1; m <= 20; ++m) {
    const Interval step = rise(family, 10000, m);
    all_rise = all_rise && certainly_less(enclose(std::int64_t{0}), step);
    total += step;
  }
  const Interval far = rise(family, 10000, 1000);
  facts.add(all_rise && rounds_to_decimal(Interval(rise(family, 10000, 1) * 1e12), "2.86") &&
                rounds_to_decimal(Interval(rise(family, 10000, 20) * 1e9), "1.14") &&
                rounds_to_decimal(Interval(total * 1e9), "8.2") &&
                rounds_to_decimal(Interval(far * 1e6), "2.7"),
            "It is not strictly monotone: it rises once a turn, 20 times to 128, by {} in all, "
            "and by {} at the 1000th turn",
            digits(total, 2), digits(far, 2));
}

/// The integral term by term: the sum of (i x)^n / n! times the integral of c^(-n t), (1 - c^-n) / (n ln c).
ComplexInterval term_by_term(const Rational& base, const Rational& x) {
  const Interval logarithm = log(enclose(base));
  const Interval argument = enclose(x);
  ComplexInterval sum{enclose(std::int64_t{1}), enclose(std::int64_t{0})};
  Interval power = enclose(std::int64_t{1});
  Interval shrunk = enclose(std::int64_t{1});
  const int terms = 4 * static_cast<int>(approximately(x)) + 200;
  for (int n = 1; n <= terms; ++n) {
    power *= argument / n;
    shrunk /= enclose(base);
    const Interval term = power * (1 - shrunk) / (n * logarithm);
    Interval& component = n % 2 == 0 ? sum.real : sum.imaginary;
    component += n % 4 >= 2 ? Interval(-term) : term;
  }
  // Terms more than halve beyond n = 2x, so the rest is less than the last.
  const double rest = greatest_magnitude(power);
  sum.real += hull(-rest, rest);
  sum.imaginary += hull(-rest, rest);
  return sum;
}

/// "There is a closed form": by Ci and Si, against the series integrated term by term.
void closed_form(Facts& facts) {
  const auto family = exponential_family(10000);
  for (const std::int64_t x : {1, 10, 128}) {
    const auto series = term_by_term(10000, x);
    const auto closed = [&] {
      const WorkingPrecision coarser(128);  // at which 128 is far enough for the expansion at infinity
      return family.mean_rotation(enclose(x));
    }();
    const Interval real_gap = closed.real - series.real;
    const Interval imaginary_gap = closed.imaginary - series.imaginary;
    facts.add(contains_zero(real_gap) && contains_zero(imaginary_gap) && radius(real_gap) < 1e-30 &&
                  radius(imaginary_gap) < 1e-30,
              "x = {}: {} + {} i both by Ci and Si and by integrating the power series, to 30 digits", x,
              digits(closed.real, 15), digits(closed.imaginary, 15));
  }
}

/// "Almost every monotone smooth theta_t gives decay, by oscillation": not where theta_t rests.
void riemann_lebesgue(Facts& facts) {
  const Rational far = 1000000;
  for (const auto& family : {exponential_family(10000), exponential_family(1000),
                             power_family(Rational(1, 2)), power_family(1), power_family(2)}) {
    const Interval near = abs(at(family, 100));
    const Interval value = abs(at(family, far));
    facts.add(certainly_less(value, enclose(0.0015)) && certainly_less(value, near),
              "{}: strictly monotone, and the integral decays, from {} in magnitude at 100 to {} at 10^6",
              family.name, digits(near, 4), digits(value, 4));
  }
  // theta = 1/2 + (1 - 3t)^2 / 2 up to t = 1/3, 1/2 up to 2/3, 1/2 - (3t - 2)^2 / 2 after: continuously
  // differentiable, and monotone. Its integral is cos(x/2) (1 + 2 I(x/2)) / 3 with I that of t^2.
  const auto square = power_family(2);
  for (const std::int64_t m : {1, 100, 10000, 1000000}) {
    const Interval x = 4 * m * pi();
    const Interval value = (1 + 2 * square.mean_cosine(Interval(x / 2))) / 3;
    facts.add(certainly_less(enclose(Rational(1, 3)), value),
              "A smooth, monotone theta that rests at 1/2 for a third of its range gives {} at x = 4 pi {}; "
              "it gives more than a third at all multiples of 4 pi, as the integral of t^2 is positive",
              digits(value, 6), m);
  }
}

/// "t^alpha decays too": at the rate x^-min(1, 1/alpha).
void powers(Facts& facts) {
  const auto linear = power_family(1);
  const auto root = power_family(Rational(1, 2));
  const auto square = power_family(2);
  const Interval fresnel = sqrt(Interval(pi() / 8));
  for (const std::int64_t x : {10, 1000, 100000}) {
    const Interval argument = enclose(x);
    const Interval of_linear = at(linear, x) - sin(argument) / argument;
    const Interval of_root =
        at(root, x) - 2 * (sin(argument) / argument + (cos(argument) - 1) / (argument * argument));
    facts.add(contains_zero(of_linear) && contains_zero(of_root) && radius(of_linear) < 1e-30 &&
                  radius(of_root) < 1e-30,
              "x = {}: t gives sin x / x and sqrt t gives 2 [sin x / x + (cos x - 1) / x^2], to 30 digits",
              x);
    const Interval scaled = at(square, x) * sqrt(argument);
    facts.add(certainly_less(abs(Interval(scaled - fresnel)), Interval(1 / (2 * sqrt(argument)))),
              "t^2: sqrt x times the integral is {}, within 1 / (2 sqrt x) of {} = sqrt(pi/8)",
              digits(scaled, 6), digits(fresnel, 6));
  }
}

std::string list_of(const std::vector<Zero>& zeros) {
  return joined(zeros, [](const Zero& zero) { return digits(zero.enclosure(), 12); });
}

void add_zeros(Facts& facts, const ThetaFamily& family, double to,
               std::span<const std::string_view> printed) {
  const auto found = zeros(decay_of(family), 1, to);  // below 1 there is none: cos(x theta) >= cos 1
  bool same = found.size() == printed.size();
  for (std::size_t i = 0; same && i < printed.size(); ++i) {
    same = rounds_to_decimal(found[i].enclosure(), printed[i]);
  }
  facts.add(same, "{} crosses zero at {}, and nowhere else below {}", family.name, list_of(found),
            digits(enclose(to), 6));
}

/// t^alpha crosses zero if and only if alpha is below a limit. The integral has the sign of J, that of
/// u^(s-1) cos u from 0 to x, s = 1/alpha. For s <= 1, where the weight falls, J is least at 3 pi/2: the
/// half waves that follow shrink. There (pi/2)^(1-s) J decreases with s: u / (pi/2) is below 1 where the
/// cosine is positive and above 1 where it is negative. So it changes sign at one s, and stays negative.
void add_critical_exponent(Facts& facts) {
  const Interval touch = 3 * pi() / 2;
  const Rational below = *parse_rational("1.446014033915");
  const Rational above = *parse_rational("1.446014033925");
  const Interval crossing = power_family(below).mean_cosine(touch);
  const Interval missing = power_family(above).mean_cosine(touch);
  facts.add(certain_sign(crossing) == -1 && certain_sign(missing) == 1,
            "t^alpha crosses zero if and only if alpha <= 1.44601403392, where it touches it at 3 pi/2 "
            "(the integral there changes sign between the exponents {} and {}): t^2 never does",
            to_string(below), to_string(above));
}

/// The least value of the exponential family's integral, among its stationary points 2 pi m / (1 +- 1/c); as
/// |Ci(x)| <= 1/x, it cannot be lower where (1 + c) / (x ln c) is less.
void add_minimum(Facts& facts) {
  const WorkingPrecision scope(64);
  const Rational base = 10000;
  const auto family = exponential_family(base);
  const Interval reach = (1 + enclose(base)) / log(enclose(base));
  Interval least = enclose(std::int64_t{1});
  Interval place;
  bool decided = true;
  std::int64_t m = 981;  // 2 pi 980 < 6166, the first zero
  for (; certainly_less(Interval(2 * m * pi() * abs(least)), reach) || m < 2000; ++m) {
    // The first of the two is the minimum: from there it rises to the second.
    const Interval x = 2 * m * pi() / enclose(Rational(1 + 1 / base));
    const Interval value = family.mean_cosine(x);
    const auto lower = certain_sign(Interval(least - value));
    decided = decided && lower.has_value();
    if (lower == 1) {
      least = value;
      place = x;
    }
  }
  facts.add(decided && rounds_to_decimal(least, "-0.0512537") && std::fabs(middle(place) - 15708) < 10,
            "10000^-t is least at {}: {}, the least of all its minima (one a turn)", digits(place, 8),
            digits(least, 6));
}

/// "Except for t, which crosses the axis, the families show no clear difference."
void zeros_of_families(Facts& facts) {
  using Decimals = std::vector<std::string_view>;
  add_zeros(facts, exponential_family(10000), 1e5,
            Decimals{"6166.02848472875", "33841.5178", "64269.5570", "95254.754"});
  add_zeros(facts, exponential_family(1000), 7000, Decimals{"617.661568406", "3385.20", "6426.04"});
  add_zeros(facts, power_family(1), 4, Decimals{"3.14159265359"});
  add_zeros(facts, power_family(Rational(1, 2)), 4, Decimals{"2.33112237041"});
  add_critical_exponent(facts);
  add_minimum(facts);
}

void add_drops(Facts& facts) {
  const auto exponential = exponential_family(10000);
  const auto square = power_family(2);
  for (const auto& [from, to, slowly, fast_at_first] :
       facts.figures<std::int64_t, std::int64_t, std::string, std::string>()) {
    const Interval slow = at(exponential, from) - at(exponential, to);
    const Interval fast = at(square, from) - at(square, to);
    facts.add(rounds_to_decimal(slow, slowly) && rounds_to_decimal(fast, fast_at_first) &&
                  (from == 0 ? certainly_less(slow, fast) : certainly_less(fast, slow)),
              "From {} to {} 10000^-t falls by {}, t^2 by {}", from, to, digits(slow, 4), digits(fast, 4));
  }
}

/// Near zero the mean cosine is 1 - x^2 M / 2 up to x^4 / 24 times the mean of theta^4, M that of theta^2.
void add_first_crossing(Facts& facts) {
  const auto exponential = exponential_family(10000);
  const auto square = power_family(2);
  const Interval moment = (1 - enclose(Rational(1, 100000000))) / (2 * log(enclose(std::int64_t{10000})));
  const Interval gap = enclose(Rational(1, 10)) - moment / 2;                  // the mean of t^4 is 1/5
  const bool above_at_first = certainly_less(enclose(Rational(1, 216)), gap);  // that of t^8, over 24: 1/216
  const auto crossings = zeros(difference(decay_of(exponential), decay_of(square)), 1, 5700);
  facts.add(
      above_at_first && !crossings.empty() && rounds_to_decimal(crossings.front().enclosure(), "5617.67"),
      "10000^-t stays above t^2 until x = {}",
      crossings.empty() ? std::string("?") : digits(crossings.front().enclosure(), 8));
  const Interval reach = 10001 / log(enclose(std::int64_t{10000}));
  const Interval root = reach / sqrt(Interval(pi() / 8));
  const Interval meet = root * root;
  facts.add(rounds_to_decimal(Interval(meet / 1000000), "3.0"),
            "The envelopes {} / x and {} / sqrt x meet at {}", digits(reach, 5),
            digits(Interval(sqrt(Interval(pi() / 8))), 4), digits(meet, 2));
}

/// "Powers fall faster at short range, exponentials at long range."
void short_and_long_range(Facts& facts) {
  add_drops(facts);
  add_first_crossing(facts);
}

/// "The nearer theta_t is to zero, the slower the decay": as long as x theta_t stays below pi, where the
/// cosine falls; not beyond.
void ordering(Facts& facts) {
  const auto slower = exponential_family(10000);
  const auto faster = exponential_family(1000);
  bool ordered = true;
  for (const std::int64_t eighth : {1, 2, 4, 8, 16, 25}) {
    const Rational x(eighth, 8);
    ordered = ordered && certainly_less(at(faster, x), at(slower, x));
  }
  facts.add(
      ordered,
      "10000^-t <= 1000^-t for all t, and the cosine falls on [0, pi]: up to x = pi the integral of the "
      "smaller one is the larger (seen at six places)");
  const auto crossings = zeros(difference(decay_of(slower), decay_of(faster)), 0.25, 6000);
  facts.add(crossings.size() == 1 && rounds_to_decimal(crossings.front().enclosure(), "4553.66"),
            "The order lasts until x = {} and is reversed from there to 6000", list_of(crossings));
}

void long_range_values(Facts& facts) {
  add_printed_values(facts);
}

}  // namespace

std::vector<Evidence> decay_integral_evidence() {
  return {
      {"decay/curve", curve},
      {"decay/closed-form", closed_form},
      {"decay/riemann-lebesgue", riemann_lebesgue},
      {"decay/powers", powers},
      {"decay/zeros", zeros_of_families},
      {"decay/short-and-long-range", short_and_long_range},
      {"decay/ordering", ordering},
      {"decay/long-range-values", long_range_values},
  };
}

}  // namespace vernier
