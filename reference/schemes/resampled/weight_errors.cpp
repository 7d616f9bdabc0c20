#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numbers/real.hpp"
#include "reference/schemes/resampled/resampling.hpp"

namespace vernier {
namespace {

/// A number that a program computes from an argument which is not quite the true one.
struct Computed {
  double value = 0;   ///< at the true argument, without roundings
  double spread = 0;  ///< how far it is from that at the argument of the program
  double error = 0;   ///< what roundings add

  double magnitude() const { return std::fabs(value) + spread; }
};

/// Operations of a format with roundoff u.
struct Arithmetic {
  double u;

  Computed sum(const Computed& x, const Computed& y) const {
    return rounded(x.value + y.value, x.spread + y.spread, x.error + y.error);
  }
  Computed product(const Computed& x, const Computed& y) const {
    return rounded(x.value * y.value, std::fabs(x.value) * y.spread + x.spread * y.magnitude(),
                   x.error * (y.magnitude() + y.error) + x.magnitude() * y.error);
  }
  Computed rounded(double value, double spread, double error) const {
    return {value, spread, error + u * (std::fabs(value) + spread + error)};
  }
};

/// The cubic kernel between two places and beyond one, at x from 0 to 2.
class CubicKernel {
 public:
  CubicKernel(double a, double u) : a_(a), in_{u}, is_held_(std::rint(a / (8 * u)) == a / (8 * u)) {}

  /// What its roundings come to, in the worst of the orders. \param x the true distance and its spread
  double roundings(const Computed& x) const {
    double greatest = 0;
    if (x.value - x.spread < 1) {
      greatest = std::max(nested(x), in_powers(x));
    }
    if (x.value + x.spread >= 1) {
      greatest = std::max({greatest, nested_beyond(x), factored_beyond(x), in_powers_beyond(x)});
    }
    return greatest;
  }
  double slope(double x) const {
    return x >= 2 ? 0 : x < 1 ? (3 * (a_ + 2) * x - 2 * (a_ + 3)) * x : a_ * ((3 * x - 10) * x + 8);
  }

 private:
  /// A sum or multiple of a: rounded like a itself, unless a has so few bits that neither is.
  Computed constant(double value) const { return {value, 0, is_held_ ? 0 : 2 * in_.u * std::fabs(value)}; }
  static Computed exactly(double value) { return {value, 0, 0}; }
  Computed square(const Computed& x) const { return in_.product(x, x); }
  Computed cube(const Computed& x) const { return in_.product(square(x), x); }

  double nested(const Computed& x) const {
    const auto inner = in_.sum(in_.product(constant(a_ + 2), x), constant(-(a_ + 3)));
    return in_.sum(in_.product(in_.product(inner, x), x), exactly(1)).error;
  }
  double in_powers(const Computed& x) const {
    const auto first = in_.product(constant(a_ + 2), cube(x));
    return in_.sum(in_.sum(first, in_.product(constant(-(a_ + 3)), square(x))), exactly(1)).error;
  }
  double nested_beyond(const Computed& x) const {
    const auto first = in_.sum(in_.product(constant(a_), x), constant(-5 * a_));
    const auto second = in_.sum(in_.product(first, x), constant(8 * a_));
    return in_.sum(in_.product(second, x), constant(-4 * a_)).error;
  }
  double factored_beyond(const Computed& x) const {
    const auto second = in_.sum(in_.product(in_.sum(x, exactly(-5)), x), exactly(8));
    return in_.product(in_.sum(in_.product(second, x), exactly(-4)), constant(a_)).error;
  }
  double in_powers_beyond(const Computed& x) const {
    const auto first = in_.product(constant(a_), cube(x));
    const auto second = in_.sum(first, in_.product(constant(-5 * a_), square(x)));
    return in_.sum(in_.sum(second, in_.product(constant(8 * a_), x)), constant(-4 * a_)).error;
  }

  double a_;
  Arithmetic in_;
  bool is_held_;
};

/// Error of a kernel's value: by the slope with the coordinate, and by itself.
/// \param common error of the coordinate in widths of the kernel \param own of this distance besides
WeightError error_of(const WeightComputation& of, const CubicKernel& cubic, double offset, double common,
                     double own, double u) {
  const double x = std::fabs(offset);
  const double off = common + own;
  const double end = of.is_cubic ? 2 : 1;
  if (x - off >= end) {
    return {};  // no tap, whatever is rounded
  }
  const double sign = offset < 0 ? -1 : 1;
  if (of.is_cubic) {
    // The slope changes by 6 at most where the distance changes by 1.
    const double slope = cubic.slope(x);
    return {sign * slope, std::fabs(slope) * own + 3 * off * off + cubic.roundings({x, off, 0})};
  }
  const double rounding = u * (std::max(1 - x, 0.0) + off);
  const bool has_one_slope = x > off && x + off < 1;
  return has_one_slope ? WeightError{-sign, own + rounding} : WeightError{0, off + rounding};
}

}  // namespace

/// Of a coordinate with aligned corners: the step, its product with i, which is at most half of the places
/// away from the nearer end for linspace, and the difference from there: three roundings. Else the step takes
/// two, of the scale or of its reciprocal, and its product with i + 1/2 a third; averages leave it at that. A
/// number i that the format does not hold is rounded, and so is i + 1/2.
double WeightComputation::coordinate_error(double roundoff) const {
  const double twice = 2 * index + (align_corners ? 0 : 1);
  const double roundings = twice * roundoff <= 1 ? 3 : 5;
  const double of_product = growth_by(roundings, roundoff) * std::fabs(align_corners ? source : source + 0.5);
  return align_corners || is_antialiased ? of_product
                                         : of_product + roundoff * (std::fabs(source) + of_product);
}

PlaceErrors WeightComputation::errors(double roundoff) const {
  auto result = before_rounding(roundoff);
  for (std::size_t tap = 0; weight_format && tap < shares.size(); ++tap) {
    // Rounding is monotonic: what comes of a weight is between what comes of the ends of its range.
    auto& weight = result.weights[tap];
    const double off = weight.at_most(result.coordinate);
    const double rounded = round_to(*weight_format, shares[tap]);
    weight = {0, std::max(rounded - round_to(*weight_format, shares[tap] - off),
                          round_to(*weight_format, shares[tap] + off) - rounded)};
  }
  return result;
}

PlaceErrors WeightComputation::before_rounding(double u) const {
  PlaceErrors result{coordinate_error(u), std::vector<WeightError>(shares.size())};
  const CubicKernel cubic(a, u);
  const double common = result.coordinate / width;
  const double of_width = growth_by(width > 1 ? 4 : 0, u);
  const double reach = is_cubic ? 2 : 1;
  for (const auto& [tap, offset] : values) {
    const double x = std::fabs(offset);
    // What is rounded on the way to the distance: for t = x - floor(x), which is exact from 0 on, the
    // distances t, 1 - t, 1 + t and (1 - t) + 1 take no more than 1 + x; the linear kernel takes the first
    // two. Averages take c - 1/2 and x, or the first place less c, as many places more, and a half.
    const double places = x * width;
    const double rounded = is_average ? std::max(std::fabs(source) + places, reach * width + 1 + 2 * places)
                           : is_cubic ? x + 1
                                      : x;
    const double of_distance = u * (rounded + 3 * result.coordinate) * (1 + 8 * u) / width;
    const double own = of_distance * (1 + of_width) + (x + common) * of_width;
    const auto error = error_of(*this, cubic, offset, common, own, u);
    auto& weight = result.weights[tap];
    weight.slope += error.slope / width;
    weight.rest += error.rest;
  }
  if (!is_average) {
    return result;
  }
  // With k the values, K their sum and w = k/K: (k + s d + r)/(K + S d + R) - w = ((s - w S) d + r - w R)/(K
  // + S d + R), where d is the error of the coordinate. The quotient is rounded, or a reciprocal and a
  // product.
  double sum_of_slopes = 0;
  double sum_of_rests = 0;
  double weights = 0;
  for (std::size_t tap = 0; tap < shares.size(); ++tap) {
    sum_of_slopes += result.weights[tap].slope;
    sum_of_rests += result.weights[tap].rest;
    weights += std::fabs(shares[tap]) * sum + result.weights[tap].at_most(result.coordinate);
  }
  sum_of_rests += growth_by(static_cast<double>(values.size()), u) * weights;
  const double of_sum = std::fabs(sum_of_slopes) * result.coordinate + sum_of_rests;
  const double least = sum - of_sum;
  for (std::size_t tap = 0; tap < shares.size(); ++tap) {
    auto& weight = result.weights[tap];
    if (least <= 0) {
      weight = {0, std::numeric_limits<double>::infinity()};
      continue;
    }
    const double share = std::fabs(shares[tap]);
    weight.slope = (weight.slope - shares[tap] * sum_of_slopes) / sum;
    weight.rest = (weight.rest + share * sum_of_rests) / least +
                  std::fabs(weight.slope) * result.coordinate * of_sum / least;
    weight.rest += growth_by(2, u) * (share + weight.at_most(result.coordinate));
  }
  return result;
}

}  // namespace vernier
