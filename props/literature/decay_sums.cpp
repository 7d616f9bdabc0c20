// The dot product of two rows as a function of their offset: how far it decays, and how near it is to the
// integral that it approximates.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "props/judging/interval_predicates.hpp"
#include "props/literature/facts.hpp"
#include "props/literature/topics.hpp"
#include "reference/decay/dot_products.hpp"
#include "reference/decay/smooth_function.hpp"
#include "reference/decay/theta_family.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

GeometricFrequencies frequencies(std::int64_t d_model) {
  return SinusoidalSpec{.d_model = d_model}.frequencies();
}

/// The greatest g(k) / N over a range of offsets, and where it is.
struct Greatest {
  std::int64_t offset = 0;
  Interval mean;
};

Greatest greatest_dot_product(const GeometricFrequencies& w, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t at_once = 1 << 18;
  double greatest = -w.pairs;
  std::int64_t offset = first;
  for (std::int64_t k = first; k <= last; k += at_once) {
    const auto products = dot_products(w, k, std::min(at_once, last - k + 1));
    const auto here = std::ranges::max_element(products);
    if (*here > greatest) {
      greatest = *here;
      offset = k + (here - products.begin());
    }
  }
  return {offset, Interval(within(greatest, dot_product_error(w.pairs)) / w.pairs)};
}

/// The first k at which `happens` is certain of g(k - 1) and g(k), being certainly not so before; 0 if there
/// is none up to `last`, or if it cannot be told.
template <class Happens>
std::int64_t first_offset(const GeometricFrequencies& w, std::int64_t last, const Happens& happens) {
  const auto products = dot_products(w, 0, last + 1);
  const double error = 2 * dot_product_error(w.pairs);
  for (std::size_t k = 1; k < products.size(); ++k) {
    const double margin = happens(products[k - 1], products[k]);
    if (std::fabs(margin) <= error) {
      return 0;
    }
    if (margin > 0) {
      return static_cast<std::int64_t>(k);
    }
  }
  return 0;
}

void add_far_offsets(Facts& facts) {
  const Interval integral = exponential_family(10000).mean_cosine(enclose(100000.0));
  constexpr std::int64_t first = 100001;
  constexpr std::int64_t last = 4200000;
  for (const auto& [d, root_mean_square, greatest] :
       facts.figures<std::int64_t, std::string, std::string>("far offsets")) {
    const auto w = frequencies(d);
    const Interval mean = sqrt(mean_square_dot_product(w, first, last)) / w.pairs;
    const Interval ratio = mean * sqrt(enclose(d));
    const auto peak = greatest_dot_product(w, first, last);
    facts.add(rounds_to_decimal(mean, root_mean_square) && rounds_to_decimal(peak.mean, greatest) &&
                  certainly_less(abs(Interval(ratio - 1)), enclose(0.01)) && certainly_less(integral, mean),
              "d = {}, 10^5 < k <= 4.2 10^6: the root mean square of g(k)/N is {}, which is {} / "
              "sqrt d, above the integral's {}; the greatest is {} at k = {}",
              d, digits(mean, 5), digits(ratio, 4), digits(integral, 2), digits(peak.mean, 4), peak.offset);
  }
}

void add_near_offsets(Facts& facts) {
  for (const auto& [d, rise, negative] :
       facts.figures<std::int64_t, std::int64_t, std::int64_t>("near offsets")) {
    const auto w = frequencies(d);
    const auto found_rise = first_offset(w, 1000, [](double before, double now) { return now - before; });
    const auto found_negative = first_offset(w, 6000, [](double /*before*/, double now) { return -now; });
    facts.add(found_rise == rise && found_negative == negative,
              "d = {}: g falls from N to its first rise at k = {} and is first negative at k = {}", d,
              found_rise, found_negative);
  }
}

/// "With 10000^(-2i/d) the dot product tends to zero as the offset grows": a trend of wide encodings over the
/// first thousands of offsets; no limit of any,
/// as a sum of cosines is almost periodic and comes back as near to its value at zero as one likes.
void limit(Facts& facts) {
  add_near_offsets(facts);
  add_far_offsets(facts);
}

/// max |g(k)/N - f(k)| over 1 <= k <= last for each of several `last`, ascending.
std::vector<Interval> deviations(const GeometricFrequencies& w, const std::vector<Interval>& integral,
                                 std::span<const std::int64_t> last) {
  const auto products = dot_products(w, 0, last.back() + 1);
  std::vector<Interval> result;
  double greatest = 0;
  std::int64_t k = 1;
  for (const std::int64_t end : last) {
    for (; k <= end; ++k) {
      const auto at = static_cast<std::size_t>(k);
      greatest = std::max(greatest, std::fabs(products[at] / w.pairs - middle(integral[at])));
    }
    // 2^-40: the division, the middle and the integral's radius, all below 2^-50
    result.push_back(within(greatest, dot_product_error(w.pairs) / w.pairs + 0x1p-40));
  }
  return result;
}

/// "g(k) is about d/2 times the integral": a left Riemann sum, whose error has a size.
void sum_to_integral(Facts& facts) {
  constexpr std::array<std::int64_t, 6> last{32, 128, 512, 1024, 5000, 20000};
  const auto family = exponential_family(10000);
  std::vector<Interval> integral;
  for (std::int64_t k = 0; k <= last.back(); ++k) {
    integral.push_back(family.mean_cosine(enclose(k)));
  }
  facts.add(std::ranges::all_of(integral, [](const Interval& f) { return radius(f) < 0x1p-50; }),
            "The integral is enclosed to 2^-50 at every offset to 20000");
  for (const auto& [d, printed] : facts.figures<std::int64_t, std::vector<std::string>>()) {
    const auto found = deviations(frequencies(d), integral, last);
    bool as_printed = true;
    std::vector<std::string> most;
    for (std::size_t i = 0; i < last.size(); ++i) {
      as_printed = as_printed && rounds_to_decimal(found[i], printed[i]);
      most.push_back(fmt::format("{} to k = {}", digits(found[i], 4), last[i]));
    }
    facts.add(as_printed, "d = {}: |g(k)/N - f(k)| is at most {}", d, joined(most));
  }
  // The leading error of the left Riemann sum, (cos k - cos(k/c)) / 2N, is at most 1/N.
  const auto narrow = deviations(frequencies(4096), integral, std::array<std::int64_t, 1>{1024});
  facts.add(certainly_less(Interval(2048 * narrow.front()), enclose(1.5)),
            "d = 4096: up to k = 1024 the difference in g is {}, near the 1 of the leading term "
            "of a left Riemann sum's error",
            digits(Interval(2048 * narrow.front()), 3));
}

void printed_dot_products(Facts& facts) {
  for (const auto& [d, k, decimal] : facts.figures<std::int64_t, std::int64_t, std::string>()) {
    const Interval product = dot_product(frequencies(d), k);
    facts.add(rounds_to_decimal(product, decimal), "d = {}: g({}) = {}", d, k, digits(product, 12));
  }
}

}  // namespace

std::vector<Evidence> decay_sum_evidence() {
  return {
      {"decay/limit", limit},
      {"decay/sum-to-integral", sum_to_integral},
      {"decay/printed-dot-products", printed_dot_products},
  };
}

}  // namespace vernier
