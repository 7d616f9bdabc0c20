#include "numerics/cost/attention_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Below it e^2/2 is closer than 256 bits tell: KL is within e^2/2 (1 - e^2) and e^2/2 (Hoeffding's lemma).
constexpr double least_told = 0x1p-60;
/// From it on tanh(e/2) is 1 in binary64, and exp(2e) overflows.
constexpr double greatest_told = 1024;

ValueBounds rounded_outward(const Interval& x) {
  return {least_magnitude(x), greatest_magnitude(x)};
}

}  // namespace

ValueBounds greatest_kl(double e) {
  if (!std::isfinite(e)) {
    return {0, unbounded};
  }
  const WorkingPrecision precision(256);
  const Interval x = enclose(e);
  if (e < least_told) {
    const Interval half = x * x / 2;
    return {least_magnitude(Interval(half * (1 - x * x))), greatest_magnitude(half)};
  }
  const Interval up = exp(x);
  const Interval down = 1 / up;
  const Interval twice_sinh = up - down;
  return rounded_outward(Interval(log(Interval(twice_sinh / (2 * x))) + x * (up + down) / twice_sinh - 1));
}

ValueBounds greatest_total_variation(double e) {
  if (!(e < greatest_told)) {
    return {std::isfinite(e) ? 1 - 0x1p-53 : 0, 1};
  }
  const WorkingPrecision precision(192);
  const Interval up = exp(enclose(e));
  return rounded_outward(Interval((up - 1) / (up + 1)));
}

ValueBounds greatest_weight_factor(double e) {
  if (!(e < greatest_told / 4)) {
    return {1, unbounded};
  }
  const WorkingPrecision precision(192);
  return rounded_outward(Interval(exp(Interval(2 * enclose(e)))));
}

WeightsOverBox::WeightsOverBox(std::span<const double> logits, std::span<const double> radii)
    : extremes_(logits.size()) {
  const auto n = logits.size();
  // Differences of logits round twice, by u of the largest; exp and sums add less than (n + 8) u.
  double largest = 1;
  double greatest = -unbounded;
  for (std::size_t j = 0; j < n; ++j) {
    largest = std::max(largest, std::fabs(logits[j]) + radii[j]);
    greatest = std::max(greatest, logits[j] + radii[j]);
  }
  const double slack = (static_cast<double>(n) + 8 + 8 * largest) * 0x1p-52;
  std::vector<double> high_after(n + 1);
  std::vector<double> low_after(n + 1);
  double middle_sum = 0;
  for (std::size_t j = n; j-- > 0;) {
    high_after[j] = high_after[j + 1] + std::exp(logits[j] + radii[j] - greatest);
    low_after[j] = low_after[j + 1] + std::exp(logits[j] - radii[j] - greatest);
    middle_sum += std::exp(logits[j] - greatest);
  }
  double high_before = 0;
  double low_before = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double high = std::exp(logits[j] + radii[j] - greatest);
    const double low = std::exp(logits[j] - radii[j] - greatest);
    const double others_low = low_before + low_after[j + 1];
    const double others_high = high_before + high_after[j + 1];
    const double least = low == 0 ? 0 : low / (low + others_high) * (1 - slack);
    const double most = std::min(1.0, high / (high + others_low) * (1 + slack));
    extremes_[j] = {least, most};
    const double middle = std::exp(logits[j] - greatest) / middle_sum;
    greatest_change_ =
        std::max({greatest_change_, most - middle * (1 - slack), middle * (1 + slack) - least});
    high_before += high;
    low_before += low;
  }
}

double kl_over_box(std::span<const double> weights, std::span<const double> radii) {
  const auto with = [&](double c) {
    double sum = 0;
    double rounding = std::fabs(c) + 1;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double r = radii[j];
      // Both less 1 - c, which they sum to where all r are zero, so that small radii keep their digits.
      const double up = std::expm1(r - c) - (r - c);
      const double down = std::expm1(-r - c) + (r + c);
      sum += weights[j] * std::max(up, down);
      rounding += weights[j] * (std::exp(r - c) + r);
    }
    // expm1(y) - y rounds by u of its terms.
    return sum + rounding * (static_cast<double>(weights.size()) + 16) * 0x1p-52;
  };
  const double greatest = radii.empty() ? 0 : *std::ranges::max_element(radii);
  if (!std::isfinite(greatest)) {
    return unbounded;
  }
  // The least is where c = log sum p exp(x), within [-greatest, greatest]; the sum is convex in c.
  double low = -greatest;
  double high = greatest;
  constexpr int steps = 40;
  for (int step = 0; step < steps; ++step) {
    const double left = low + (high - low) / 3;
    const double right = high - (high - low) / 3;
    if (with(left) < with(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return std::min(with(low), greatest_kl(greatest).upper);
}

}  // namespace vernier
