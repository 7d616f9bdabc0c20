#include <array>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {
namespace {

constexpr std::int64_t head_dim = 8;

using Vector = std::vector<Interval>;

Vector some_vector(std::int64_t seed) {
  Vector vector;
  const RationalMatrix entries = pseudo_random_rationals(1, head_dim, seed);
  for (Eigen::Index i = 0; i < head_dim; ++i) {
    vector.push_back(enclose(entries(0, i)));
  }
  return vector;
}

RopeSpec spec_of(RopeSpec::Layout layout) {
  return {.head_dim = head_dim, .layout = layout};
}

/// The vector as the reference rotates it at a position.
Vector rotated(const RopeSpec& spec, const Vector& x, std::int64_t position) {
  const auto table = spec.table(Component::cosine);
  Vector cosine;
  Vector sine;
  for (int pair = 0; pair < spec.pairs(); ++pair) {
    cosine.push_back(table.value(position, pair, Component::cosine)());
    sine.push_back(table.value(position, pair, Component::sine)());
  }
  Vector y(x.size());
  spec.rotate<Interval>(cosine, sine, x, y);
  return y;
}

Interval dot(const Vector& a, const Vector& b) {
  Interval sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// (R_m q)^T (R_n k)
Interval score(const Vector& q, const Vector& k, std::int64_t m, std::int64_t n) {
  const auto spec = spec_of(RopeSpec::Layout::interleaved);
  return dot(rotated(spec, q, m), rotated(spec, k, n));
}

/// theta_i = 10000^(-2i/d) through the exponential, another way than the reference takes.
Interval theta(std::size_t pair) {
  return exp(-2 * Interval(pair) / Interval(head_dim) * log(Interval(10000)));
}

/// Re of the sum over pairs of q^* k e^(i turn theta), q and k as complex numbers.
Interval product_turned(const Vector& q, const Vector& k, std::int64_t turn) {
  Interval sum = 0;
  for (std::size_t i = 0; i < q.size() / 2; ++i) {
    const Interval real = q[2 * i] * k[2 * i] + q[2 * i + 1] * k[2 * i + 1];
    const Interval imaginary = q[2 * i] * k[2 * i + 1] - q[2 * i + 1] * k[2 * i];
    const auto [sine, cosine] = sine_cosine(turn * theta(i));
    sum += real * cosine - imaginary * sine;
  }
  return sum;
}

/// Each pair as a complex number, multiplied by e^(i m theta_i).
void rope_definition(Facts& facts) {
  const auto x = some_vector(31);
  bool multiplies = true;
  bool same_up_to_order = true;
  for (const std::int64_t m : {0, 1, 5, 1000, 131071}) {
    const auto y = rotated(spec_of(RopeSpec::Layout::interleaved), x, m);
    Vector halves(x.size());
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
      const auto [sine, cosine] = sine_cosine(m * theta(i));
      multiplies &= vanishes_to_120_bits(y[2 * i] - (x[2 * i] * cosine - x[2 * i + 1] * sine)) &&
                    vanishes_to_120_bits(y[2 * i + 1] - (x[2 * i] * sine + x[2 * i + 1] * cosine));
      halves[i] = x[2 * i];
      halves[i + x.size() / 2] = x[2 * i + 1];
    }
    const auto z = rotated(spec_of(RopeSpec::Layout::half), halves, m);
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
      same_up_to_order &=
          vanishes_to_120_bits(z[i] - y[2 * i]) && vanishes_to_120_bits(z[i + x.size() / 2] - y[2 * i + 1]);
    }
  }
  facts.add(multiplies,
            "head_dim = 8, positions 0, 1, 5, 1000 and 131071: the pair (x_2i, x_2i+1) becomes (x_2i "
            "+ i x_2i+1) e^(i m theta_i) with theta_i = 10000^(-2i/d)");
  facts.add(same_up_to_order, "pairs (i, i + d/2) give the same in another order of the dimensions");
}

/// Two pairs, the second turning twice as fast as the first, rotated in rational arithmetic.
std::array<Rational, 4> exactly_rotated(const RationalMatrix& x, int position) {
  const RopeSpec spec{.head_dim = 4, .layout = RopeSpec::Layout::interleaved};
  const ExactRotation slow(position);
  const ExactRotation fast(2 * position);
  const std::array cosine{slow.cosine(), fast.cosine()};
  const std::array sine{slow.sine(), fast.sine()};
  const std::array from{x(0, 0), x(0, 1), x(0, 2), x(0, 3)};
  std::array<Rational, 4> to;
  spec.rotate<Rational>(cosine, sine, from, to);
  return to;
}

Rational exact_dot(const std::array<Rational, 4>& a, const std::array<Rational, 4>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// |R_m x| = |x|.
void isometry(Facts& facts) {
  const RationalMatrix exact = pseudo_random_rationals(1, 4, 32);
  const auto still = exactly_rotated(exact, 0);
  bool exactly = true;
  for (int m = 1; m <= 20; ++m) {
    const auto turned = exactly_rotated(exact, m);
    exactly &= turned != still && exact_dot(turned, turned) == exact_dot(still, still);
  }
  facts.add(exactly,
            "in rationals, with the angle of cosine 3/5 and sine 4/5: norms are equal at 20 positions");
  const auto x = some_vector(33);
  bool enclosed = true;
  for (const std::int64_t m : {1, 7, 1000, 1000000}) {
    const auto y = rotated(spec_of(RopeSpec::Layout::interleaved), x, m);
    enclosed &= vanishes_to_120_bits(dot(y, y) - dot(x, x));
  }
  facts.add(enclosed,
            "with theta_i = 10000^(-2i/d), head_dim = 8, they agree to 2^-120 at 1, 7, 1000 and 10^6");
}

/// (R_m q)^T (R_n k) = Re[q^* k e^(-i (m - n) theta)], summed over pairs.
void rope_sign(Facts& facts) {
  const auto q = some_vector(34);
  const auto k = some_vector(35);
  bool as_stated = true;
  bool original = true;
  bool other_sign_fails = true;
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{5, 2}, {2, 5}, {100, 7}, {0, 4}}) {
    const Interval value = score(q, k, m, n);
    as_stated &= vanishes_to_120_bits(value - product_turned(q, k, n - m));
    original &= vanishes_to_120_bits(value - product_turned(k, q, m - n));
    other_sign_fails &= !contains_zero(value - product_turned(q, k, m - n));
  }
  facts.add(as_stated,
            "the score is Re of the sum of q^* k e^(-i (m - n) theta_i), for m < n and m > n: at (5, 2) {}",
            digits(score(q, k, 5, 2), 8));
  facts.add(original, "so it is that of q k^* e^(i (m - n) theta_i), RoFormer's way of writing it");
  facts.add(other_sign_fails, "with e^(+i (m - n) theta_i) beside q^* k it would be {}",
            digits(product_turned(q, k, 3), 8));
}

/// The score depends on q, k and m - n only.
void relative_only(Facts& facts) {
  const RationalMatrix exact_q = pseudo_random_rationals(1, 4, 36);
  const RationalMatrix exact_k = pseudo_random_rationals(1, 4, 37);
  bool exactly = true;
  for (int offset = 0; offset <= 5; ++offset) {
    const Rational first = exact_dot(exactly_rotated(exact_q, offset), exactly_rotated(exact_k, 0));
    for (int n = 1; n <= 10; ++n) {
      exactly &= exact_dot(exactly_rotated(exact_q, n + offset), exactly_rotated(exact_k, n)) == first;
    }
  }
  facts.add(exactly,
            "in rationals, with the angle of cosine 3/5 and sine 4/5: equal at 11 positions for each of 6 "
            "offsets");
  const auto q = some_vector(34);
  const auto k = some_vector(35);
  bool enclosed = true;
  for (const std::int64_t shift : {1, 1000, 1000000, 2147480000}) {
    enclosed &= vanishes_to_120_bits(score(q, k, 5 + shift, 2 + shift) - score(q, k, 5, 2));
  }
  facts.add(enclosed,
            "with theta_i = 10000^(-2i/d) the score at (5, 2) is that at (1005, 1002) and up to 2^31, to "
            "2^-120");
  facts.add(!contains_zero(score(q, k, 6, 2) - score(q, k, 5, 2)), "another offset has another score");
}

/// The score tells (m, n) from (n, m), unless q^* k is real in each pair.
void rope_direction(Facts& facts) {
  const auto q = some_vector(34);
  const auto k = some_vector(35);
  facts.add(certainly_different(score(q, k, 5, 2), score(q, k, 2, 5)),
            "one q and k: {} at (5, 2), {} at (2, 5)", digits(score(q, k, 5, 2), 8),
            digits(score(q, k, 2, 5), 8));
  Vector multiple = q;
  for (std::size_t i = 0; i < multiple.size(); ++i) {
    multiple[i] *= i / 2 + 2;  // one real factor a pair
  }
  bool symmetric = true;
  for (const std::int64_t offset : {1, 3, 50, 4096}) {
    symmetric &= vanishes_to_120_bits(score(q, multiple, offset, 0) - score(q, multiple, 0, offset));
  }
  facts.add(
      symmetric,
      "if each pair of k is a real multiple of that of q, q^* k is real and both directions score alike");
}

}  // namespace

std::vector<Evidence> rotary_evidence() {
  return {
      {"rope/definition", rope_definition},  {"rope/isometry", isometry},        {"rope/sign", rope_sign},
      {"rope/relative-only", relative_only}, {"rope/direction", rope_direction},
  };
}

}  // namespace vernier
