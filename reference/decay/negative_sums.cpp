#include "reference/decay/negative_sums.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/decay/dot_products.hpp"
#include "reference/decay/smooth_function.hpp"

namespace vernier {
namespace {

/// By enclosures of rising precision: a sum of cosines of algebraic numbers is not zero unless it is trivial
/// (Lindemann and Weierstrass), so one of them tells.
bool is_negative(const CosineSum& sum, std::int64_t offset) {
  for (const unsigned bits : {128U, 512U}) {
    const WorkingPrecision scope(bits);
    if (const auto sign = certain_sign(Interval(dot_product(sum.frequencies, offset) + sum.still))) {
      return *sign < 0;
    }
  }
  throw std::runtime_error("a sum of cosines that 512 bits do not tell from zero");
}

/// Where the bases after one are no longer certain to be decided as it is.
class BaseStep {
 public:
  BaseStep(int pairs, std::int64_t last, double base) {
    const auto n = static_cast<std::size_t>(pairs);
    const GeometricFrequencies frequencies{
        .base = exact_rational(base), .step = Rational(1, pairs), .pairs = pairs};
    std::vector<double> weights(n);
    for (int pair = 0; pair < pairs; ++pair) {
      const double x = static_cast<double>(pair) / pairs;
      const double w = frequencies.approximate(pair);
      weights[static_cast<std::size_t>(pair)] = x * w;
      linear_ += x * x * w;
      quadratic_ += x * x * w * w;
    }
    error_ = dot_product_error(pairs);
    // x w < 1; w is off by some ulp, and twice 2^-50 of it covers them
    slope_error_ = error_ + pairs * 0x1p-49;
    const auto sums = dot_products_and_slopes(frequencies, weights, 1, last);
    for (std::int64_t m = 1; m <= last; ++m) {
      const auto at = static_cast<std::size_t>(m - 1);
      take(m, sums.products[at], sums.slopes[at]);
    }
  }

  std::int64_t negative_at() const { return negative_at_; }
  /// How far ln b may grow, less a millionth of it: more than roundings of 2^-52 from a width of 2e-9 on.
  double width() const { return (negative_at_ == 0 ? least_ : greatest_) * (1 - 1e-6); }

 private:
  void take(std::int64_t m, double product, double slope) {
    const auto offset = static_cast<double>(m);
    // 1.001: what the frequencies are off by and the roundings here are below 2^-40
    const double curvature = 1.001 * offset * (linear_ + offset * quadratic_);
    if (product < -error_) {
      const double until = first_zero(-product - error_, -offset * (slope + slope_error_), curvature);
      if (until > greatest_) {
        greatest_ = until;
        negative_at_ = m;
      }
    } else {
      least_ = std::min(least_, first_zero(product - error_, offset * (slope - slope_error_), curvature));
    }
  }

  /// The zero of value + slope t - curvature t^2 / 2 beyond t = 0; 0 if the value is not positive.
  static double first_zero(double value, double slope, double curvature) {
    if (value <= 0) {
      return 0;
    }
    const double root = std::sqrt(slope * slope + 2 * curvature * value);
    return slope < 0 ? 2 * value / (root - slope) : (root + slope) / curvature;
  }

  double linear_ = 0;
  double quadratic_ = 0;
  double error_ = 0;
  double slope_error_ = 0;
  double least_ = 1;  ///< bases that a step covers are within a factor of e
  double greatest_ = 0;
  std::int64_t negative_at_ = 0;
};

}  // namespace

std::optional<std::int64_t> first_negative_sum(const CosineSum& sum, std::int64_t last) {
  if (sum.still >= sum.frequencies.pairs()) {
    return std::nullopt;  // no sum of that many cosines is below their number
  }
  const double error = dot_product_error(sum.frequencies.pairs());
  std::int64_t at_once = 4096;
  for (std::int64_t first = 1; first <= last; first += at_once) {
    at_once = std::min<std::int64_t>(first < at_once ? at_once : first, 1 << 18);
    const auto products = dot_products(sum.frequencies, first, std::min(at_once, last - first + 1));
    for (std::size_t i = 0; i < products.size(); ++i) {
      const double product = products[i] + sum.still;
      const auto offset = first + static_cast<std::int64_t>(i);
      if (product < -2 * error || (product < 2 * error && is_negative(sum, offset))) {
        return offset;
      }
    }
  }
  return std::nullopt;
}

std::vector<DecidedBases> decided_bases(int pairs, std::int64_t last, double from, double to) {
  constexpr double narrowest = 2e-9;
  std::vector<DecidedBases> result;
  for (double base = from; base <= to;) {
    const BaseStep step(pairs, last, base);
    const double width = step.width();
    if (width < narrowest) {
      base *= 1 + 2 * narrowest;
    } else {
      // b (1 + width) <= b e^width
      result.push_back({base, std::min(base * (1 + width), to), step.negative_at()});
      base = base == to ? std::nextafter(to, 2 * to) : result.back().upper;
    }
  }
  return result;
}

std::vector<DecidedBases> alternating(const std::vector<DecidedBases>& ranges) {
  std::vector<DecidedBases> result;
  for (const auto& range : ranges) {
    if (result.empty() || result.back().holds() != range.holds()) {
      result.push_back(range);
    }
    result.back().upper = range.upper;
  }
  return result;
}

}  // namespace vernier
