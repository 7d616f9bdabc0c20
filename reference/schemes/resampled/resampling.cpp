#include "reference/schemes/resampled/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace vernier {
namespace {

using Mode = ResamplingRule::Mode;

std::int64_t floor_of(const Rational& value) {
  const boost::multiprecision::mpz_int quotient = numerator(value) / denominator(value);
  const auto result = static_cast<std::int64_t>(quotient);
  return value < result ? result - 1 : result;
}

/// The kernel at a distance from the new place. \param at not negative
Rational kernel(const ResamplingRule& rule, const Rational& at) {
  const auto& a = rule.a;
  if (rule.mode == Mode::bilinear) {
    return at < 1 ? Rational(1 - at) : Rational(0);
  }
  return at < 1   ? Rational(((a + 2) * at - (a + 3)) * at * at + 1)
         : at < 2 ? Rational(((a * at - 5 * a) * at + 8 * a) * at - 4 * a)
                  : Rational(0);
}

/// What one weight is off by in roundings, beside what the distance is off by. The linear kernel takes one.
/// The outer branch of the cubic one, x from 1 to 2 and |a| at most 1, is ((a x - 5 a) x + 8 a) x - 4 a:
/// errors of 2
/// + 5 + 4 from the first sum, twice that and 6 from the product, 8 + 4 from the second sum, twice all that
/// and 4, and 4 + 1 from the last: 89. Written out as a (x^3 - 5 x^2 + 8 x - 4) it takes 16 + 40 + 16 + 12 +
/// 4 + 1, as many. The inner branch takes less.
double own_roundings(const ResamplingRule& rule) {
  constexpr double outer_branch = 89;
  return rule.mode == Mode::bilinear ? 1 : outer_branch;
}

/// The steepest slope of the kernel: |1|, or the inner branch's (a + 3)^2/(3 (a + 2)), which is at most 3/2
/// for a from -1 to 0, and |a| at 1.
double steepest(const ResamplingRule& rule) {
  return rule.mode == Mode::bilinear ? 1 : 1.5;
}

/// Where the new place is, among the old ones.
Rational source_of(const ResamplingRule& rule, std::int64_t place, const Rational& step) {
  if (rule.align_corners) {
    return place * step;
  }
  Rational source = (place + Rational(1, 2)) * step - Rational(1, 2);
  return rule.mode == Mode::bilinear && !rule.antialias && source < 0 ? Rational(0) : source;
}

/// The weights of places that may lie beyond the ends, whose shares the ends have. One place more to each
/// side has none, and is there as a coordinate that is rounded may give it one.
void add_held(std::map<std::int64_t, Rational>& shares, const ResamplingRule& rule, const Rational& source,
              std::int64_t from) {
  const auto reach = rule.mode == Mode::bilinear ? 1 : 2;
  const auto first = floor_of(source);
  for (auto place = first - reach; place <= first + reach + 1; ++place) {
    const Rational distance = abs(Rational(source - place));
    shares[std::clamp<std::int64_t>(place, 0, from - 1)] += kernel(rule, distance);
  }
}

/// The weights of all places that a kernel as wide as a step reaches, made to add up to one. \returns their
/// sum before
double add_averaged(std::map<std::int64_t, Rational>& shares, const ResamplingRule& rule,
                    const Rational& source, std::int64_t from, const Rational& width) {
  const Rational support = width * (rule.mode == Mode::bilinear ? 1 : 2);
  const auto first = std::max<std::int64_t>(0, floor_of(source - support));
  const auto last = std::min<std::int64_t>(from - 1, floor_of(source + support) + 1);
  Rational sum = 0;
  for (auto place = first; place <= last; ++place) {
    const auto weight = kernel(rule, Rational(abs(Rational(source - place)) / width));
    shares[place] += weight;
    sum += weight;
  }
  for (auto& [place, weight] : shares) {
    weight /= sum;
  }
  return approximately(sum);
}

}  // namespace

std::vector<ResampledPlace> resampled_places(const ResamplingRule& rule, std::int64_t from, std::int64_t to,
                                             const std::optional<Rational>& scale_factor) {
  const Rational step = rule.align_corners ? (to == 1 ? Rational(0) : Rational(from - 1, to - 1))
                        : scale_factor     ? Rational(1 / *scale_factor)
                                           : Rational(from, to);
  const Rational width = rule.antialias ? std::max(step, Rational(1)) : Rational(1);
  std::vector<ResampledPlace> result;
  for (std::int64_t place = 0; place < to; ++place) {
    const auto source = source_of(rule, place, step);
    std::map<std::int64_t, Rational> shares;
    double sum = 1;
    if (rule.antialias) {
      sum = add_averaged(shares, rule, source, from, width);
    } else {
      add_held(shares, rule, source, from);
    }
    auto& made = result.emplace_back();
    for (auto& [old, weight] : shares) {
      const double share = approximately(weight);
      made.weights += std::fabs(share);
      made.taps.push_back({old, std::move(weight), share});
    }
    // The step is rounded, its product with the place, the halves that are added and the difference from the
    // old place: four times the coordinate, and two more for its width. A kernel is continuous, so a place on
    // the other side of an edge costs no more. An average divides by the sum of its weights, which has their
    // errors and those of so many sums.
    const double reach = rule.mode == Mode::bilinear ? 1 : 2;
    const double taps = rule.antialias ? 2 * reach * approximately(width) + 2 : 2 * reach;
    const double distance = 4 * (approximately(Rational(abs(source))) + 1) / approximately(width) + 2;
    const double of_all = taps * (own_roundings(rule) + steepest(rule) * distance);
    made.error = rule.antialias ? of_all / sum * (1 + made.weights) + made.weights * (taps * made.weights + 2)
                                : of_all;
  }
  return result;
}

}  // namespace vernier
