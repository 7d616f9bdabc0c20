#include "reference/schemes/resampled/resampling.hpp"

#include <algorithm>

#include "reference/support/refusal.hpp"

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

/// Where the new place is, among the old ones.
Rational source_of(const ResamplingRule& rule, std::int64_t place, const Rational& step) {
  if (rule.align_corners) {
    return place * step;
  }
  Rational source = (place + Rational(1, 2)) * step - Rational(1, 2);
  return rule.mode == Mode::bilinear && !rule.is_average() && source < 0 ? Rational(0) : source;
}

/// The old places that a kernel reaches, and one more to each side, as a coordinate that is rounded may give
/// it a share. Those beyond the ends of a table that is not averaged have theirs in the ends.
struct Reach {
  std::int64_t first;
  std::int64_t last;
};

Reach reach_of(const ResamplingRule& rule, const Rational& source, std::int64_t from, const Rational& width) {
  const auto reach = rule.mode == Mode::bilinear ? 1 : 2;
  if (!rule.is_average()) {
    return {floor_of(source) - reach, floor_of(source) + reach + 1};
  }
  return {std::max<std::int64_t>(0, floor_of(source - width * reach)),
          std::min<std::int64_t>(from - 1, floor_of(source + width * reach) + 1)};
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
    auto& made = result.emplace_back();
    made.computation = {.is_cubic = rule.mode == Mode::bicubic,
                        .a = approximately(rule.a),
                        .align_corners = rule.align_corners,
                        .is_antialiased = rule.antialias,
                        .is_average = rule.is_average(),
                        .weight_format = rule.weight_format,
                        .index = static_cast<double>(place),
                        .source = approximately(source),
                        .width = approximately(width)};
    Rational sum = 0;
    const auto [first, last] = reach_of(rule, source, from, width);
    for (auto old = first; old <= last; ++old) {
      const auto held = std::clamp<std::int64_t>(old, 0, from - 1);
      if (made.taps.empty() || made.taps.back().place != held || rule.weight_format) {
        made.taps.push_back({held, 0, 0});
      }
      const Rational offset = (source - old) / width;
      const auto weight = kernel(rule, Rational(abs(offset)));
      made.taps.back().weight += weight;
      sum += weight;
      made.computation.values.push_back({made.taps.size() - 1, approximately(offset)});
    }
    refuse_if(sum == 0,
              "resampled: found the weights of the new place {} to add up to 0, expected a kernel "
              "that can be averaged",
              place);
    made.computation.sum = approximately(sum);
    for (auto& tap : made.taps) {
      tap.weight /= sum;  // which is 1 already unless it is an average
      made.computation.shares.push_back(approximately(tap.weight));
      if (rule.weight_format) {
        tap.weight = exact_rational(round_to(*rule.weight_format, approximately(tap.weight)));
      }
      tap.share = approximately(tap.weight);
    }
  }
  return result;
}

}  // namespace vernier
