// What papers on RoPE and on longer contexts say of scores, of bounds for them and of precision.

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/decay/dot_products.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {
namespace {

GeometricFrequencies rotary_frequencies(int head_dim, const Rational& base = 10000) {
  return {.base = base, .step = Rational(2, head_dim), .pairs = head_dim / 2};
}

/// The sum of cos(s w_i).
Interval score_of_ones(const GeometricFrequencies& w, const Rational& s) {
  Interval sum = enclose(std::int64_t{0});
  for (int pair = 0; pair < w.pairs; ++pair) {
    sum += cos(enclose(s) * w.at(pair));
  }
  return sum;
}

/// The sum over k of |S_k|, S_k being the sum of the first k rotations by s w_i.
Interval sum_of_partial_sums(const GeometricFrequencies& w, std::int64_t s) {
  Interval cosines = enclose(std::int64_t{0}), sines = cosines, total = cosines;
  for (int pair = 0; pair < w.pairs; ++pair) {
    const Interval phase = enclose(s) * w.at(pair);
    cosines += cos(phase);
    sines += sin(phase);
    total += sqrt(cosines * cosines + sines * sines);
  }
  return total;
}

/// Theorem 2.1 of arXiv 2306.15595 at h_j = 1, s_1 = 0, s_2 = 1, s = 1/2.
void interpolation_bound(Facts& facts) {
  const auto w = rotary_frequencies(128);
  const Interval ends = (enclose(std::int64_t{64}) + score_of_ones(w, 1)) / 2;
  const Interval error = abs(Interval(score_of_ones(w, Rational(1, 2)) - ends));
  const Interval stated = 128 / (32 * log(enclose(std::int64_t{10000})));
  Interval squares = enclose(std::int64_t{0});
  for (const auto& frequency : w.enclosures()) {
    squares += frequency * frequency;
  }
  const Interval right = squares / 8;
  facts.add(certainly_less(stated, error) && certainly_less(error, right),
            "d = 128, c = 10000, all h_j = 1: halfway between the offsets 0 and 1 the score is {} from the "
            "line, which "
            "is more than the bound of {}; with the sum of theta_j^2 = {} in place of d / (4 ln c) the bound "
            "is {}, "
            "and twice d over it is {}",
            digits(error, 6), digits(stated, 6), digits(squares, 6), digits(right, 6),
            digits(Interval(256 / right), 4));
  // Its proof has c^x <= 1 + x ln c for x < 0, at x = -4/d.
  const Interval exponent = enclose(Rational(-4, 128)) * log(enclose(std::int64_t{10000}));
  facts.add(certainly_less(1 + exponent, exp(exponent)),
            "at x = -4/128 c^x is {}, above 1 + x ln c = {}, as an exponential is everywhere",
            digits(exp(exponent), 6), digits(Interval(1 + exponent), 6));
}

/// Rows of head dimension, offset s at which the sum of |S_k| is below d.
void partial_sums_below(Facts& facts) {
  for (const auto& [d, s] : facts.figures<int, std::int64_t>()) {
    const Interval sum = sum_of_partial_sums(rotary_frequencies(d), s);
    facts.add(certainly_less(sum, enclose(std::int64_t{d})), "d = {}, s = {}: B(s) = {} is below d", d, s,
              digits(sum, 6));
  }
}

/// Rows of head dimension, first offset at which the mean of |S_k| rises.
void partial_sums_fall(Facts& facts) {
  for (const auto& [d, rise] : facts.figures<int, std::int64_t>()) {
    const auto w = rotary_frequencies(d);
    bool falls = true;
    Interval before = sum_of_partial_sums(w, 0);
    for (std::int64_t s = 1; s < rise; ++s) {
      const Interval now = sum_of_partial_sums(w, s);
      falls &= certainly_less(now, before);
      before = now;
    }
    const Interval risen = sum_of_partial_sums(w, rise);
    facts.add(falls && certainly_less(before, risen),
              "d = {}: the mean falls to {} at {} and first rises at {}, to {}", d,
              digits(Interval(before * 2 / d), 6), rise - 1, rise, digits(Interval(risen * 2 / d), 6));
  }
}

/// The base change of NTK-aware scaling, and what it does to each pair.
void base_change(Facts& facts) {
  bool as_defined = true;
  for (const std::int64_t s : {2, 4, 8, 16}) {
    const Interval factor = log(enclose(s));
    const Interval change = factor * enclose(Rational(128, 126));  // of ln b
    for (int pair = 0; pair < 63; ++pair) {
      as_defined &= certainly_less(change * enclose(Rational(pair, 64)), factor);
    }
    as_defined &= vanishes_to_120_bits(change * enclose(Rational(63, 64)) - factor);
  }
  facts.add(as_defined,
            "d = 128, s = 2, 4, 8, 16: pair 0 is unchanged, the last is divided by exactly s, others by "
            "less: their last "
            "phases are beyond the trained ones");
}

/// Rows of scale, offset: a score of equal vectors that falls though every pair turns less.
void turned_less(Facts& facts) {
  const auto w = rotary_frequencies(128);
  for (const auto& [scale, offset] : facts.figures<std::int64_t, std::int64_t>()) {
    const Interval plain = score_of_ones(w, offset);
    const Interval slower = score_of_ones(w, Rational(offset, scale));
    facts.add(certainly_less(slower, plain), "d = 128, s = {}, offset {}: the score falls from {} to {}",
              scale, offset, digits(plain, 6), digits(slower, 6));
  }
}

/// q and k = R_r q: the score is the sum of cos((m - r) w_i) for q of ones, and nowhere else as large.
void greatest_at_any_distance(Facts& facts) {
  const auto w = rotary_frequencies(256);
  const auto products = dot_products(w, 1, 8191);
  const double greatest = *std::ranges::max_element(products) + dot_product_error(w.pairs);
  facts.add(greatest < 124.5,
            "d = 256, base 10000, q of ones, k = R_r q: the score is 128 at the distance r and below 124.5 "
            "at others, to "
            "8191 places from it");
}

/// The scores of a key and of its negative, at any distance.
void mean_of_symmetric_keys(Facts& facts) {
  const RationalMatrix x = pseudo_random_rationals(1, 4, 77);
  bool opposite = true;
  for (const int distance : {0, 1, 7}) {
    const ExactRotation turn(distance);
    const auto score = [&](const Rational& a, const Rational& b) {
      return Rational((x(0, 0) * a + x(0, 1) * b) * turn.cosine() +
                      (x(0, 1) * a - x(0, 0) * b) * turn.sine());
    };
    opposite &= score(x(0, 2), x(0, 3)) == -score(-x(0, 2), -x(0, 3));
  }
  facts.add(opposite,
            "a key and its negative have opposite scores: for keys symmetric about zero the mean is 0 and a "
            "far one wins "
            "half of the time, at every length");
}

/// Eight slopes 2^-1 to 2^-8, and the means of neighbours among them, by their exponents.
void averaged_slopes(Facts& facts) {
  std::vector<Rational> exponents{8};
  for (int i = 1; i < 8; ++i) {
    exponents.insert(exponents.end(), {Rational(i), Rational(2 * i + 1, 2)});
  }
  facts.add(
      exponents.size() == 15 && std::ranges::count(exponents, Rational(1, 2)) == 0,
      "8 slopes have 7 pairs of neighbours, so 15 slopes from 2^-1 on; 2^-1/2 is the mean of 2^-1 and 2^0");
}

/// Rows of base, context, share of pairs of a near and a far offset of which the far one scores higher.
void far_beats_near(Facts& facts) {
  for (const auto& [base, context, share] : facts.figures<std::int64_t, std::int64_t, std::string>()) {
    auto products = dot_products(rotary_frequencies(128, base), 0, context);
    const auto half = products.begin() + context / 2;
    std::sort(products.begin(), half);
    const double slack = 2 * dot_product_error(64);
    std::int64_t least = 0, most = 0;
    std::for_each(half, products.end(), [&](double far) {
      least += std::lower_bound(products.begin(), half, far - slack) - products.begin();
      most += std::upper_bound(products.begin(), half, far + slack) - products.begin();
    });
    const auto all = enclose(context / 2) * enclose(context / 2);
    const Interval found = (enclose(least) + hull(0, static_cast<double>(most - least))) / all;
    facts.add(rounds_to_decimal(found, share),
              "equal vectors, d = 128, base {}, context {}: a far offset beats a near "
              "one in {} of all pairs",
              base, context, share);
  }
}

/// One pair, q at the phase (m + n) w / 2 before k: the distances m and n score the same.
void same_score_elsewhere(Facts& facts) {
  bool same = true;
  for (const auto& [m, n] : {std::pair{10, 5000}, {1, 131071}}) {
    for (const auto& w : rotary_frequencies(128).enclosures()) {
      const Interval phase = enclose(std::int64_t{m + n}) * w / 2;
      same &= vanishes_to_120_bits(cos(m * w - phase) - cos(n * w - phase));
    }
  }
  facts.add(
      same,
      "for every pair of d = 128 there are q and k that score the same 10 and 5000 places apart, and 1 and "
      "131071");
}

/// What the slowest pair has in place of 1 / base.
void slowest_pair(Facts& facts) {
  const auto w = rotary_frequencies(128).at(63);
  const Interval reach = 131072 / acos(enclose(Rational(9, 10)));
  const Interval needed = exp(log(reach) * enclose(Rational(128, 126)));
  const Interval radian = 1 / rotary_frequencies(256).at(127);
  facts.add(rounds_to_decimal(2 * pi() / w, "54410.1") && rounds_to_decimal(needed, "354835") &&
                rounds_to_decimal(radian, "9305.7"),
            "the slowest frequency is base^(-(d-2)/d), not 1/base: d = 128, base 10000, wavelength {}, not "
            "62831.9; "
            "L = 131072, cos >= 0.9 needs a base of {}, not {}; d = 256, base 10000: a radian takes {} "
            "tokens, not 10000",
            digits(Interval(2 * pi() / w), 6), digits(needed, 6), digits(reach, 6), digits(radian, 5));
}

/// Columns of the table of head dimension 128 at positions from 0 on, correctly rounded.
template <class Element>
std::vector<Element> rounded_rows(std::int64_t base, const std::vector<Column>& columns, Format format,
                                  std::size_t rows) {
  TrigTable table;
  table.frequencies = rotary_frequencies(128, base);
  table.columns = columns;
  std::vector<Element> elements(rows * columns.size());
  const auto count = static_cast<std::int64_t>(rows);
  RoundedTable(table, {0, 1, count}, format).write(0, count, std::as_writable_bytes(std::span(elements)));
  return elements;
}

/// The sines of the slowest pair alone: rows of base.
void float32_increments(Facts& facts) {
  for (const auto& [base] : facts.figures<std::int64_t>()) {
    const auto sines = rounded_rows<float>(base, {{63, Component::sine}}, Format::binary32, 1 << 20);
    facts.add(std::ranges::adjacent_find(sines) == sines.end(),
              "d = 128, base {} > 2^23: no two of the first 2^20 positions in a row have equal float32 sines "
              "even in the "
              "slowest pair",
              base);
  }
}

/// The spread of the score at offset 1 over positions below 1024 and 131072, with a table rounded to
/// bfloat16.
void bfloat16_spread(Facts& facts) {
  constexpr std::size_t rows = 131073;
  std::vector<Column> columns;
  for (int pair = 0; pair < 64; ++pair) {
    columns.insert(columns.end(), {{pair, Component::cosine}, {pair, Component::sine}});
  }
  const auto bits = rounded_rows<std::uint16_t>(10000, columns, Format::bfloat16, rows);
  const auto value = [&](std::size_t i) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16U));
  };
  double least = 64, greatest = 0, early = 0;
  for (std::size_t m = 0; m + 1 < rows; ++m) {
    double score = 0;
    for (std::size_t i = 128 * m; i < 128 * (m + 1); ++i) {
      score += value(i) * value(i + 128);
    }
    least = std::min(least, score);
    greatest = std::max(greatest, score);
    early = m == 1023 ? greatest - least : early;
  }
  // Each of 256 elements is off by 2^-9 at most, half a unit below 1.
  facts.add(early > 0.05 && greatest - least < 2 * early && greatest - least < 256 * 0x1p-8,
            "d = 128, base 10000, rounded once to bfloat16: the score of equal vectors one place apart "
            "varies by {:.3f} "
            "below position 1024 and by {:.3f} below 131072",
            early, greatest - least);
}

}  // namespace

std::vector<Evidence> paper_score_evidence() {
  return {
      {"papers/interpolation-bound", interpolation_bound},
      {"papers/partial-sums-below", partial_sums_below},
      {"papers/partial-sums-fall", partial_sums_fall},
      {"papers/base-change", base_change},
      {"papers/turned-less", turned_less},
      {"papers/any-distance", greatest_at_any_distance},
      {"papers/symmetric-keys", mean_of_symmetric_keys},
      {"papers/averaged-slopes", averaged_slopes},
      {"papers/far-beats-near", far_beats_near},
      {"papers/same-score", same_score_elsewhere},
      {"papers/slowest-pair", slowest_pair},
      {"papers/float32-increments", float32_increments},
      {"papers/bfloat16-spread", bfloat16_spread},
  };
}

}  // namespace vernier
