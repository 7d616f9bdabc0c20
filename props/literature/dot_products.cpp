#include <algorithm>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "props/models/trig_code.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

void offset_only(Facts& facts) {
  add_law(facts, "sinusoidal/offset-only");
}

void symmetric(Facts& facts) {
  add_law(facts, "sinusoidal/symmetric");
}

/// g(k), the sum of cos(w_i k), for k = 0 .. last: all by rotation from k to k + 1, at a precision
/// that leaves the enclosures narrow.
std::vector<Interval> products(std::int64_t d, std::int64_t last) {
  const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies().enclosures();
  std::vector<Interval> sums(static_cast<std::size_t>(last) + 1, Interval(0));
  for (const auto& frequency : frequencies) {
    // Chebyshev's recurrence cos((k + 1) w) = 2 cos(w) cos(k w) - cos((k - 1) w).
    const Interval twice = 2 * cos(frequency);
    Interval before = 1;
    Interval current = cos(frequency);
    sums[0] += before;
    for (std::size_t k = 1; k < sums.size(); ++k) {
      sums[k] += current;
      const Interval next = twice * current - before;
      before = current;
      current = next;
    }
  }
  return sums;
}

/// Theorem T5 (Lindemann and Weierstrass): g takes no value twice on k = 0, 1, 2 ..., and never 0.
void identify_distance(Facts& facts) {
  // Enclosures widen by 1 + sqrt(2) a step at most, the greater root of x^2 = 2 x + 1: 1.3 bits.
  const WorkingPrecision scope(1500);
  constexpr std::int64_t last = 1000;
  const auto all = products(512, last);
  for (const auto& [distance, gap] : facts.figures<std::int64_t, std::string>()) {
    auto values = std::vector(all.begin(), all.begin() + distance + 1);
    std::ranges::sort(values, [](const Interval& a, const Interval& b) { return middle(a) < middle(b); });
    bool apart = !contains_zero(values.front());
    Interval least = values[1] - values[0];
    for (std::size_t i = 1; i < values.size(); ++i) {
      const Interval step = values[i] - values[i - 1];
      apart &= least_magnitude(step) > 0 && !contains_zero(values[i]);
      if (certainly_less(step, least)) {
        least = step;
      }
    }
    facts.add(apart && rounds_to_decimal(least, gap),
              "d = 512, distances up to {}: all products differ, by {} at least, and none is 0", distance,
              digits(least, 3));
  }
}

/// The solution [cos, sin] is a permutation of the columns [sin, cos].
void permutation(Facts& facts) {
  const TrigCode sine_first(SinusoidalSpec{.d_model = 16}.table());
  const TrigCode cosine_first(SinusoidalSpec{.d_model = 16, .order = SinusoidalSpec::Order::cos_sin}.table());
  bool permuted = true;
  bool same_products = true;
  for (const std::int64_t t : {0, 1, 17, 4096}) {
    const auto a = sine_first.code(t);
    const auto b = cosine_first.code(t);
    for (Eigen::Index c = 0; c < 16; ++c) {
      permuted &= contains_zero(a(c) - b(c % 2 == 0 ? c + 1 : c - 1));
    }
    for (const std::int64_t k : {1, 5, 300}) {
      same_products &= contains_zero(sine_first.score(t, t + k) - cosine_first.score(t, t + k));
    }
  }
  facts.add(permuted, "each pair of columns changes places and nothing else");
  facts.add(same_products, "dot products are the same");
}

}  // namespace

std::vector<Evidence> dot_product_evidence() {
  return {
      {"dot-products/offset-only", offset_only},
      {"dot-products/symmetric", symmetric},
      {"dot-products/identify-distance", identify_distance},
      {"dot-products/permutation", permutation},
  };
}

}  // namespace vernier
