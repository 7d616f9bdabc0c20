#include <algorithm>

#include <Eigen/Core>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_scores.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

TrigTable code_of_width(std::int64_t d, SinusoidalSpec::Order order = SinusoidalSpec::Order::cos_sin) {
  return SinusoidalSpec{.d_model = d, .order = order}.table();
}

/// A direct sum of blocks a_i I + b_i J with a_i = i + 1 and b_i = turn (2 i - 3).
RationalMatrix blocks(Eigen::Index d, int turn) {
  RationalMatrix h = RationalMatrix::Zero(d, d);
  for (Eigen::Index i = 0; i < d / 2; ++i) {
    h(2 * i, 2 * i) = h(2 * i + 1, 2 * i + 1) = i + 1;
    h(2 * i, 2 * i + 1) = turn * (2 * i - 3);
    h(2 * i + 1, 2 * i) = -h(2 * i, 2 * i + 1);
  }
  return h;
}

RationalMatrix diagonal(Eigen::Index d) {
  RationalMatrix h = RationalMatrix::Zero(d, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    h(i, i) = (7 * i * i + 3 * i) % 11 - 5;
  }
  return h;
}

/// How far the scores at offset k differ at most between the queries 0 .. queries - 1: a certain lower bound.
double certain_spread(const BilinearScore& score, std::int64_t k, std::int64_t queries) {
  const Interval first = score.score(0, k);
  double spread = 0;
  for (std::int64_t t = 1; t < queries; ++t) {
    spread = std::max(spread, least_magnitude(score.score(t, t + k) - first));
  }
  return spread;
}

std::string plain(double value) {
  return digits(enclose(value), 4);
}

/// Theorem T6, both directions. If: the blocks commute with every rotation, and the scores are the sum of a
/// cos(w k) and b sin(w k). Only if: H = M_1^T H M_1 makes each block B_ij of H solve R_i^T B R_j = B, whose
/// determinant is (2 - 2 cos(w_i - w_j)) (2 - 2 cos(w_i + w_j)), not zero for i != j; and for i = j its
/// solutions are two-dimensional, a I + b J, as the other two eigenvalues are e^(+-2 i w_i) - 1, not zero.
void offset_only_forms(Facts& facts) {
  const auto table = code_of_width(16);
  const auto h = blocks(16, 1);
  facts.add(commutes_with_shifts(h), "H, a direct sum of 8 blocks a I + b J, is of the form (exact)");
  const BilinearScore score(table, h);
  bool constant = true;
  bool sum_of_cosines_and_sines = true;
  for (const std::int64_t k : {1, 5, 7, 100, -5, -1000}) {
    Interval sum = 0;
    for (Eigen::Index i = 0; i < 8; ++i) {
      const Interval phase = enclose(k) * table.frequencies.at(static_cast<int>(i));
      sum += enclose(h(2 * i, 2 * i)) * cos(phase) + enclose(h(2 * i, 2 * i + 1)) * sin(phase);
    }
    for (const std::int64_t t : {0, 1, 10, 12345}) {
      constant &= contains_zero(score.score(t, t + k) - score.score(0, k));
      sum_of_cosines_and_sines &= contains_zero(score.score(t, t + k) - sum);
    }
  }
  facts.add(constant && sum_of_cosines_and_sines,
            "its scores are the sum of a_i cos(w_i k) + b_i sin(w_i k) at every position tried, within "
            "enclosures");
  bool regular = true;
  for (const std::int64_t d : {2, 4, 8, 64, 512}) {
    const auto frequencies = code_of_width(d).frequencies.enclosures();
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const Interval sum_chord = 2 - 2 * cos(frequencies[i] + frequencies[j]);
        const Interval difference_chord = 2 - 2 * cos(frequencies[i] - frequencies[j]);
        regular &= !contains_zero(sum_chord) && (i == j || !contains_zero(difference_chord));
      }
    }
  }
  facts.add(regular,
            "for d = 2, 4, 8, 64 and 512 no w_i + w_j is a multiple of 2 pi, nor is w_i - w_j for i != j; no "
            "other H commutes with the shift");
}

/// "The code expresses distance, not direction": so for H = I, not for blocks with b != 0.
void bilinear_direction(Facts& facts) {
  const auto table = code_of_width(16);
  const BilinearScore even(table, blocks(16, 0));
  const BilinearScore turned(table, blocks(16, 1));
  bool symmetric = true;
  for (const std::int64_t k : {1, 2, 5, 100}) {
    symmetric &= contains_zero(even.score(200, 200 + k) - even.score(200, 200 - k));
  }
  facts.add(symmetric, "with b = 0 (so also for H = I) offsets k and -k score alike");
  const Interval ahead = turned.score(200, 205);
  const Interval behind = turned.score(200, 195);
  facts.add(certainly_different(ahead, behind) && contains_zero(ahead - turned.score(0, 5)),
            "with b != 0 the offset 5 scores {} and -5 {}, at every position", digits(ahead, 8),
            digits(behind, 8));
}

/// "p_t^T W_Q^T W_K p_(t+k) may lose the property."
void projections_break_it(Facts& facts) {
  const auto table = code_of_width(16);
  const RationalMatrix query = pseudo_random_rationals(16, 16, 1);
  const RationalMatrix key = pseudo_random_rationals(16, 16, 2);
  const RationalMatrix product = query.transpose() * key;
  const double spread = certain_spread(BilinearScore(table, product), 5, 200);
  facts.add(spread > 1,
            "for two dense matrices W_Q, W_K of entries below 1 the scores at offset "
            "5 differ by {} or more over 200 positions",
            plain(spread));
  facts.add(certain_spread(BilinearScore(table, diagonal(16)), 5, 200) > 1,
            "so they do for an unequal diagonal");
  // A signed permutation of the dimensions is orthogonal: W_Q = W_K gives W^T W = I.
  RationalMatrix orthogonal = RationalMatrix::Zero(16, 16);
  for (Eigen::Index i = 0; i < 16; ++i) {
    orthogonal(i, (5 * i + 3) % 16) = i % 3 == 0 ? -1 : 1;
  }
  facts.add(commutes_with_shifts(orthogonal.transpose() * orthogonal) &&
                certain_spread(BilinearScore(table, orthogonal.transpose() * orthogonal), 5, 200) == 0,
            "for one orthogonal matrix as W_Q and W_K they do not");
}

/// p_m^T diag(h) p_n by the product-to-sum formula, over the pairs first .. last - 1: the sums of
/// (h_2i + h_2i+1)/2 cos(w_i (m - n)) and of sign (h_2i - h_2i+1)/2 cos(w_i (m + n)).
Interval product_to_sum(const TrigTable& table, const RationalMatrix& h, std::int64_t m, std::int64_t n,
                        Eigen::Index first, Eigen::Index last, int sign) {
  Interval sum = 0;
  for (Eigen::Index i = first; i < last; ++i) {
    const Interval frequency = table.frequencies.at(static_cast<int>(i));
    const Interval even = enclose(Rational((h(2 * i, 2 * i) + h(2 * i + 1, 2 * i + 1)) / 2));
    const Interval odd = enclose(Rational((h(2 * i, 2 * i) - h(2 * i + 1, 2 * i + 1)) / 2));
    sum += even * cos(enclose(m - n) * frequency) + sign * odd * cos(enclose(m + n) * frequency);
  }
  return sum;
}

/// Equations (12) and (13) for a diagonal H, with the sum from i = 1 to d/2.
void diagonal_form(Facts& facts) {
  const auto h = diagonal(16);
  const auto cosine_first = code_of_width(16);
  const auto sine_first = code_of_width(16, SinusoidalSpec::Order::sin_cos);
  const Interval score = BilinearScore(cosine_first, h).score(7, 3);
  const Interval from_zero = product_to_sum(cosine_first, h, 7, 3, 0, 8, 1);
  const Interval from_one = product_to_sum(cosine_first, h, 7, 3, 1, 8, 1);
  facts.add(contains_zero(score - from_zero), "from i = 0 to d/2 - 1 the sum is the score, {}",
            digits(score, 12));
  facts.add(certainly_different(score, from_one),
            "from i = 1 on it misses a pair, {}, and its last term would need H_(d+1,d+1) and a "
            "frequency that do not exist",
            digits(from_one, 12));
  const Interval other_order = BilinearScore(sine_first, h).score(7, 3);
  facts.add(contains_zero(other_order - product_to_sum(sine_first, h, 7, 3, 0, 8, -1)) &&
                certainly_different(other_order, product_to_sum(sine_first, h, 7, 3, 0, 8, 1)),
            "with the sine first the terms in m + n change their sign");
}

/// "The terms in m + n vanish if H_2i,2i = H_2i+1,2i+1."
void equal_diagonal(Facts& facts) {
  const auto table = code_of_width(16);
  facts.add(
      commutes_with_shifts(blocks(16, 0)) && certain_spread(BilinearScore(table, blocks(16, 0)), 3, 200) == 0,
      "equal in each pair: H is of the form a I, and no two positions tried differ");
  bool every_pair_matters = true;
  for (Eigen::Index pair = 0; pair < 8; ++pair) {
    auto h = blocks(16, 0);
    h(2 * pair, 2 * pair) += 1;
    every_pair_matters &= certain_spread(BilinearScore(table, h), 3, 200) > 0;
  }
  facts.add(every_pair_matters, "unequal in any one pair, whichever: the scores differ");
}

/// Equation (14): the first sum of (13) written as the integral of h_t e^(i (m-n) theta_t), without a factor
/// and without a real part.
void integral_form(Facts& facts) {
  // For H = I and m = n the sum is d/2, and the integral is 1.
  for (const std::int64_t d : {64, 512}) {
    const auto table = code_of_width(d);
    RationalMatrix identity = RationalMatrix::Identity(d, d);
    const Interval sum = product_to_sum(table, identity, 9, 9, 0, static_cast<int>(d / 2), 1);
    facts.add(contains(sum, Rational(d, 2)) && certainly_different(sum, enclose(std::int64_t{1})),
              "d = {}, H = I, m = n: the sum is {}, the integral 1: the factor is d/2", d, digits(sum, 8));
  }
  // The imaginary part of the integral at x = 1 is not zero: sin(theta_t) > 0 for theta in (0, 1].
  const auto table = code_of_width(512);
  Interval imaginary = 0;
  for (int i = 0; i < 256; ++i) {
    imaginary += sin(table.frequencies.at(i));
  }
  facts.add(certainly_less(enclose(std::int64_t{0}), imaginary),
            "every sin(theta_t) of the integrand's imaginary part is positive at m - n = 1, while the sum is "
            "real: the real part is meant");
}

/// "For an H that is not diagonal the properties are hard to recover."
void not_diagonal(Facts& facts) {
  const auto table = code_of_width(16);
  const double spread = certain_spread(BilinearScore(table, pseudo_random_rationals(16, 16, 3)), 5, 200);
  facts.add(spread > 1, "a dense H of entries below 1: scores at offset 5 differ by {} or more",
            plain(spread));
  const auto h = blocks(16, 1);
  facts.add(h != RationalMatrix(h.diagonal().asDiagonal()) && commutes_with_shifts(h) &&
                certain_spread(BilinearScore(table, h), 5, 200) == 0,
            "a direct sum of blocks a I + b J, not diagonal: they do not differ");
}

/// "Where the diagonal dominates, the properties hold approximately": |p^T E p| <= |E|_F |p|^2 for what is
/// left of H beside blocks a I, and |p|^2 = d/2.
void dominant_diagonal(Facts& facts) {
  const auto table = code_of_width(16);
  const RationalMatrix rest = pseudo_random_rationals(16, 16, 4) / 100;
  const RationalMatrix h = blocks(16, 0) + rest;
  const BilinearScore whole(table, h);
  const BilinearScore dominant(table, blocks(16, 0));
  Interval squares = 0;
  for (Eigen::Index i = 0; i < 16; ++i) {
    for (Eigen::Index j = 0; j < 16; ++j) {
      squares += enclose(Rational(rest(i, j) * rest(i, j)));
    }
  }
  const Interval bound = sqrt(squares) * 8;
  double greatest = 0;
  bool within = true;
  for (std::int64_t t = 0; t < 200; ++t) {
    const Interval difference = whole.score(t, t + 5) - dominant.score(t, t + 5);
    within &= certainly_less(abs(difference), bound);
    greatest = std::max(greatest, greatest_magnitude(difference));
  }
  facts.add(within,
            "with a hundredth of a dense matrix E beside the diagonal, scores move by at "
            "most {}, within |E|_F d/2 = {}",
            plain(greatest), digits(bound, 4));
  facts.add(certain_spread(whole, 5, 200) > 0, "and they do depend on the position a little");
}

}  // namespace

std::vector<Evidence> bilinear_evidence() {
  return {
      {"bilinear/offset-only-forms", offset_only_forms}, {"bilinear/direction", bilinear_direction},
      {"bilinear/projections", projections_break_it},    {"bilinear/diagonal", diagonal_form},
      {"bilinear/equal-diagonal", equal_diagonal},       {"bilinear/integral-form", integral_form},
      {"bilinear/not-diagonal", not_diagonal},           {"bilinear/dominant-diagonal", dominant_diagonal},
  };
}

}  // namespace vernier
