#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/exact_inputs.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// A complex number with rational parts.
struct Complex {
  Rational real;
  Rational imaginary;

  bool operator==(const Complex&) const = default;
};

Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

Complex conjugate(const Complex& a) {
  return {a.real, -a.imaginary};
}

/// Equation (6): <p_m, p_n> = Re[p_m p_n^*] for vectors of two components.
void complex_product(Facts& facts) {
  const Complex one{1, 0};
  const Complex i{0, 1};
  bool on_basis = true;
  for (const auto& [a, b] : {std::pair{one, one}, {one, i}, {i, one}, {i, i}}) {
    on_basis &= (a * conjugate(b)).real == a.real * b.real + a.imaginary * b.imaginary;
  }
  facts.add(
      on_basis,
      "both sides are bilinear over the real numbers, and they agree on the four pairs of the basis 1 and i");
  const Complex a{Rational(3, 7), -2};
  const Complex b{5, Rational(1, 3)};
  facts.add((a * conjugate(b)).real == a.real * b.real + a.imaginary * b.imaginary &&
                (a * b).real != (a * conjugate(b)).real,
            "without the conjugate they do not agree at 3/7 - 2i and 5 + i/3");
}

/// Whether f(m, n) is a function of m - n for the positions 0 .. count - 1.
template <class Function>
bool depends_on_offset_only(int count, const Function& f) {
  for (int m = 1; m < count; ++m) {
    for (int n = 1; n < count; ++n) {
      if (!(f(m, n) == f(m - 1, n - 1))) {
        return false;
      }
    }
  }
  return true;
}

/// Equation (7), p_m p_n^* = q_(m-n), against (5), <p_m, p_n> = g(m-n).
void stronger_assumption(Facts& facts) {
  constexpr int count = 12;
  const auto examine = [](const std::function<Complex(int)>& p) {
    const auto product = [&](int m, int n) { return p(m) * conjugate(p(n)); };
    return std::pair{depends_on_offset_only(count, product),
                     depends_on_offset_only(count, [&](int m, int n) { return product(m, n).real; })};
  };
  const auto turning = examine([](int m) {
    const ExactRotation rotation(m);
    return Complex{rotation.cosine(), rotation.sine()};
  });
  facts.add(turning == std::pair{true, true},
            "p_m = e^(i m theta) obeys (7), exactly, and so (5), its real part, for theta of cosine 3/5");
  const auto alternating = [](int m) { return m % 2 == 0 ? Complex{1, 0} : Complex{0, 1}; };
  facts.add(examine(alternating) == std::pair{false, true},
            "1, i, 1, i ... obeys (5) and not (7): (7) is the stronger assumption");
  facts.add(alternating(0) == alternating(2), "and it does not tell positions apart");
}

/// Equation (8): the solutions of (7) have one radius and phases in arithmetic progression. By induction with
/// n = m - 1; here over every sequence of five phases that are sixths of a turn and every one of five radii
/// 1, 2 or 3.
void arithmetic_progression(Facts& facts) {
  constexpr int count = 5;
  const auto sequences_with = [](int values, const auto& solves, const auto& as_stated) {
    int solutions = 0;
    bool all_as_stated = true;
    std::array<int, count> sequence{};
    std::size_t position = 0;
    while (position < count) {
      const bool solution = solves(sequence);
      solutions += solution ? 1 : 0;
      all_as_stated &= solution == as_stated(sequence);
      position = 0;
      while (position < count && ++sequence[position] == values) {
        sequence[position++] = 0;
      }
    }
    return std::pair{solutions, all_as_stated};
  };
  using Sequence = std::array<int, count>;
  const auto [phases, progressions] = sequences_with(
      6,
      [](const Sequence& phase) {
        return depends_on_offset_only(count, [&](int m, int n) {
          return (phase[static_cast<std::size_t>(m)] - phase[static_cast<std::size_t>(n)] + 6) % 6;
        });
      },
      [](const Sequence& phase) {
        for (std::size_t m = 0; m < count; ++m) {
          const int steps = static_cast<int>(m) * (phase[1] - phase[0] + 6);
          if (phase[m] != (phase[0] + steps) % 6) {
            return false;
          }
        }
        return true;
      });
  facts.add(progressions && phases == 36,
            "of the 7776 sequences of phases {} have differences that depend on the offset only: the "
            "arithmetic progressions (modulo a turn), 6 first phases times 6 steps, and no others",
            phases);
  const auto [radii, constant] = sequences_with(
      3,
      [](const Sequence& radius) {
        return depends_on_offset_only(count, [&](int m, int n) {
          return (radius[static_cast<std::size_t>(m)] + 1) * (radius[static_cast<std::size_t>(n)] + 1);
        });
      },
      [](const Sequence& radius) { return std::ranges::count(radius, radius[0]) == count; });
  facts.add(constant && radii == 3, "of the 243 sequences of radii {} have such products: the constant ones",
            radii);
}

using ExactCode = std::vector<Rational>;

/// The code (10) in rationals: (cos, sin) of m theta and of 2 m theta.
ExactCode stacked(int position) {
  const ExactRotation slow(position);
  const ExactRotation fast(2 * position);
  return {slow.cosine(), slow.sine(), fast.cosine(), fast.sine()};
}

Rational dot(const ExactCode& a, const ExactCode& b) {
  Rational sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

bool satisfies_five(const std::function<ExactCode(int)>& code) {
  return depends_on_offset_only(10, [&](int m, int n) { return dot(code(m), code(n)); });
}

/// Equations (9) and (10): e^(i m theta) = (cos m theta, sin m theta), and a stack of such pairs obeys (5).
void solution(Facts& facts) {
  facts.add(satisfies_five(stacked),
            "two pairs turning by theta and 2 theta, cos(theta) = 3/5: products depend on the offset only, "
            "exactly");
  const TrigCode code(SinusoidalSpec{.d_model = 16, .order = SinusoidalSpec::Order::cos_sin}.table());
  bool as_defined = true;
  bool adds_up = true;
  for (const std::int64_t m : {0, 1, 9, 3000}) {
    const auto row = code.code(m);
    for (const std::int64_t offset : {1, 40}) {
      Interval of_pairs = 0;
      for (Eigen::Index pair = 0; pair < 8; ++pair) {
        const Interval theta = exp(-Interval(2 * pair) / 16 * log(Interval(10000)));
        as_defined &= vanishes_to_120_bits(row(2 * pair) - cos(m * theta)) &&
                      vanishes_to_120_bits(row(2 * pair + 1) - sin(m * theta));
        of_pairs += cos(offset * theta);
      }
      adds_up &= vanishes_to_120_bits(code.score(m, m + offset) - of_pairs);
    }
  }
  facts.add(as_defined, "d = 16: the code has cos(m theta_i) and sin(m theta_i) in columns 2i and 2i + 1");
  facts.add(
      adds_up,
      "its products at the positions 0, 1, 9 and 3000 are the sum of cos((m - n) theta_i) over the pairs");
}

/// "(10) is one solution and not the only one."
void not_unique(Facts& facts) {
  const auto add = [&](const std::function<ExactCode(int)>& other, const char* sentence) {
    facts.add(satisfies_five(other) && other(1) != stacked(1), sentence);
  };
  facts.add(satisfies_five(stacked), "the code (10) obeys (5), exactly");
  add(
      [](int m) {
        ExactCode p = stacked(m);
        const Rational mixed = Rational(5, 13) * p[0] - Rational(12, 13) * p[2];
        p[2] = Rational(12, 13) * p[0] + Rational(5, 13) * p[2];
        p[0] = mixed;
        return p;
      },
      "so does U p_m for an orthogonal U that mixes two pairs");
  add(
      [](int m) {
        ExactCode p = stacked(m);
        p[2] *= 3;
        p[3] *= 3;
        return p;
      },
      "so does a pair with another radius");
  add([](int m) { return stacked(m + 4); }, "so does another first phase");
  add(
      [](int m) {
        ExactCode p = stacked(m);
        p.push_back(7);
        return p;
      },
      "so does the code with a constant element");
  facts.add(!satisfies_five([](int m) {
    ExactCode p = stacked(m);
    p.push_back(m);
    return p;
  }),
            "the code with the position itself as an element does not");
}

/// sin(a + b) and cos(a + b) at a = pos w_i and b = k w_i.
void addition_formulas(Facts& facts) {
  const auto frequencies = SinusoidalSpec{.d_model = 16}.frequencies();
  bool hold = true;
  bool other_sign_fails = true;
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    const Interval w = frequencies.at(pair);
    for (const auto& [position, k] : {std::pair{3, 5}, {1000, 7}, {0, 4}, {12345, 678}}) {
      const auto a = sine_cosine(position * w);
      const auto b = sine_cosine(k * w);
      const auto sum = sine_cosine((position + k) * w);
      hold &= vanishes_to_120_bits(a.sine * b.cosine + a.cosine * b.sine - sum.sine) &&
              vanishes_to_120_bits(a.cosine * b.cosine - a.sine * b.sine - sum.cosine);
      other_sign_fails &= !contains_zero(a.sine * b.cosine - a.cosine * b.sine - sum.sine);
    }
  }
  facts.add(hold,
            "sin a cos b + cos a sin b = sin(a + b) and cos a cos b - sin a sin b = cos(a + b) to 2^-120 for "
            "the 8 pairs of d = 16 at four positions and offsets");
  facts.add(other_sign_fails, "with the sign of the second term reversed the first fails at each");
  bool exactly = true;
  for (int m = 0; m < 10; ++m) {
    for (int n = 0; n < 10; ++n) {
      const ExactRotation a(m);
      const ExactRotation b(n);
      const ExactRotation sum(m + n);
      exactly &= a.sine() * b.cosine() + a.cosine() * b.sine() == sum.sine() &&
                 a.cosine() * b.cosine() - a.sine() * b.sine() == sum.cosine();
    }
  }
  facts.add(exactly, "they hold exactly for multiples of the angle of cosine 3/5");
}

/// n^(-2i/d) = e^(-(2i/d) ln n): the d-th power of the right side, times n^(2i), is 1.
void exponential(Facts& facts) {
  for (const auto& [base, d] : {std::pair<std::int64_t, std::int64_t>{100, 4}, {10000, 64}, {10000, 512}}) {
    bool equal = true;
    const auto frequencies = SinusoidalSpec{.d_model = d, .base = base}.frequencies();
    for (int pair = 0; pair < frequencies.pairs; ++pair) {
      const Interval exponential = exp(-Interval(2 * pair) / Interval(d) * log(enclose(base)));
      equal &=
          vanishes_to_120_bits(pow(exponential, static_cast<int>(d)) * pow(enclose(base), 2 * pair) - 1) &&
          vanishes_to_120_bits(exponential / frequencies.at(pair) - 1);
    }
    facts.add(equal,
              "n = {}, d = {}: for every pair the d-th power of e^(-(2i/d) ln n) is "
              "n^(-2i), and it is the reference's frequency, to 2^-120",
              base, d);
  }
}

}  // namespace

std::vector<Evidence> identity_evidence() {
  return {
      {"identities/complex-product", complex_product},
      {"identities/stronger-assumption", stronger_assumption},
      {"identities/arithmetic-progression", arithmetic_progression},
      {"identities/solution", solution},
      {"identities/not-unique", not_unique},
      {"identities/addition-formulas", addition_formulas},
      {"identities/exponential", exponential},
  };
}

}  // namespace vernier
