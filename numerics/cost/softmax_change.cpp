#include "numerics/cost/softmax_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();
/// Below it e^2/2 is closer than 256 bits tell: KL is at most e^2/2 (Hoeffding's lemma).
constexpr double least_told = 0x1p-60;
/// From it on tanh(e/2) is 1 in binary64, and exp(2e) overflows.
constexpr double greatest_told = 1024;

}  // namespace

double greatest_kl(double e) {
  if (!std::isfinite(e)) {
    return no_bound;
  }
  const WorkingPrecision precision(256);
  const Interval x = enclose(e);
  if (e < least_told) {
    return greatest_magnitude(Interval(x * x / 2));
  }
  const Interval up = exp(x);
  const Interval down = 1 / up;
  const Interval twice_sinh = up - down;
  return greatest_magnitude(Interval(log(Interval(twice_sinh / (2 * x))) + x * (up + down) / twice_sinh - 1));
}

double greatest_total_variation(double e) {
  if (!(e < greatest_told)) {
    return 1;
  }
  const WorkingPrecision precision(192);
  const Interval up = exp(enclose(e));
  return greatest_magnitude(Interval((up - 1) / (up + 1)));
}

double greatest_weight_factor(double e) {
  if (!(e < greatest_told / 4)) {
    return no_bound;
  }
  const WorkingPrecision precision(192);
  return greatest_magnitude(Interval(exp(Interval(2 * enclose(e)))));
}

std::vector<double> weights_of(std::span<const double> logits) {
  const double greatest = *std::ranges::max_element(logits);
  std::vector<double> weights;
  double sum = 0;
  for (const double logit : logits) {
    weights.push_back(std::exp(logit - greatest));
    sum += weights.back();
  }
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
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
    return sum + rounding * (static_cast<double>(weights.size()) + 16) * rounding_unit;
  };
  const double greatest = *std::ranges::max_element(radii);
  if (!std::isfinite(greatest)) {
    return no_bound;
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
  return std::min(with(low), greatest_kl(greatest));
}

RowCost cost_of(const ScoreRow& row) {
  const auto n = row.scores.size();
  const auto weights = weights_of(row.scores);
  if (!std::ranges::all_of(row.changes, [](double change) { return std::isfinite(change); })) {
    return RowCost::at_most(no_bound, 1);
  }
  double largest = 1;
  for (const double logit : row.scores) {
    largest = std::max(largest, std::fabs(logit));
  }
  const double weight_error = row.score_error + (static_cast<double>(n) + 8 * largest) * rounding_unit;
  const auto [least, greatest] = std::ranges::minmax(row.changes);
  const double half_range = (greatest - least) / 2 + row.change_error;
  double mean = 0;
  for (std::size_t j = 0; j < n; ++j) {
    mean += weights[j] * row.changes[j];
  }
  double variance = 0;
  double excess = 0;  // E exp(y) - 1
  double spread = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double y = row.changes[j] - mean;
    variance += weights[j] * y * y;
    excess += weights[j] * (std::expm1(y) - y);
    spread += weights[j] * std::fabs(y);
  }
  const double kl = std::log1p(excess);
  double moved = 0;
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double by = weights[j] * std::fabs(std::expm1(row.changes[j] - mean - kl));
    moved += by / 2;
    most = std::max(most, by);
  }
  // Roundings: of expm1(y) - y by u |y| each, of sums of n terms by n u of them.
  const double rounding = static_cast<double>(n + 16) * rounding_unit;
  const double kl_error = 3 * half_range * weight_error + half_range * row.change_error +
                          4 * rounding_unit * spread + rounding * (kl + spread * spread);
  const double moved_error =
      row.change_error + (3 * weight_error + rounding) * moved + kl_error + 4 * rounding_unit * spread;
  const double reach = greatest - mean + row.change_error + half_range * weight_error;
  // The variance moves by at most 2 h per change that is off, and by 4 h^2 d for weights that are.
  const double certain_variance = variance * (1 + rounding) + 4 * half_range * row.change_error +
                                  4 * half_range * half_range * weight_error;
  const double quotient = reach < 0x1p-20 ? 0.5 + reach / 4 : (std::expm1(reach) - reach) / (reach * reach);
  const double bound = certain_variance * quotient * (1 + 0x1p-30);
  if (!std::isfinite(kl + kl_error) || !std::isfinite(moved + moved_error) || !std::isfinite(bound)) {
    return RowCost::at_most(no_bound, 1);
  }
  const auto around = [](double value, double error, double limit) {
    return ValueBounds{std::max(0.0, value - error), std::min(limit, value + error)};
  };
  return {around(kl, kl_error, no_bound), around(moved, moved_error, 1), around(most, 2 * moved_error, 1),
          std::max(bound, kl + kl_error)};
}

}  // namespace vernier
