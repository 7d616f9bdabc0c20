#include "reference/rope_scaling/llama3.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>

#include <fmt/core.h>

#include "reference/decided.hpp"
#include "reference/rope_scaling/blend.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"

namespace vernier {
namespace {

/// n w / 2 pi: how often a pair turns within the original length.
Interval turns(const GeometricFrequencies& unscaled, int pair, std::int64_t original_length) {
  return enclose(original_length) * unscaled.at(pair) / (2 * pi());
}

/// The first pair that turns no more often than `threshold`: each turns less often than the one before it.
int first_not_above(const Rational& threshold, const GeometricFrequencies& unscaled,
                    std::int64_t original_length) {
  const auto pairs = std::views::iota(0, unscaled.pairs);
  const auto first = std::ranges::partition_point(pairs, [&](int pair) {
    const auto sign =
        decided_sign([&] { return Interval(turns(unscaled, pair, original_length) - enclose(threshold)); });
    assert(sign);
    return *sign > 0;
  });
  return static_cast<int>(first - pairs.begin());
}

}  // namespace

void Llama3Scaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange thresholds{0, 1'000'000, "a number above 0, at most 1e6", true};
  visit_scaling_factor(visit, factor);
  visit.required({"low_freq_factor", "the turns within n below which a pair is divided by s"},
                 low_freq_factor, number(thresholds));
  visit.required({"high_freq_factor", "the turns within n above which a pair stays as it is"},
                 high_freq_factor, number(thresholds));
  visit_original_length(visit, original_length);
  visit.require(low_freq_factor <= high_freq_factor, "low_freq_factor",
                "at most high_freq_factor, which is " + to_string(high_freq_factor));
  if (!visit.fills()) {
    return;
  }
  const auto progression = context.progression();
  const int blended = first_not_above(high_freq_factor, progression, original_length);
  const int divided = first_not_above(low_freq_factor, progression, original_length);
  treatments.clear();
  for (int pair = 0; pair < progression.pairs; ++pair) {
    treatments.push_back(pair < blended   ? PairTreatment::unchanged
                         : pair < divided ? PairTreatment::blended
                                          : PairTreatment::divided);
  }
}

std::string Llama3Scaling::summary() const {
  const auto count = [this](PairTreatment treatment) {
    return std::to_string(std::ranges::count(treatments, treatment));
  };
  return fmt::format("Llama 3 scaling by {} of {}, pairs {} unchanged, {} blended, {} divided",
                     to_string(factor), original_length, count(PairTreatment::unchanged),
                     count(PairTreatment::blended), count(PairTreatment::divided));
}

Interval Llama3Scaling::share(const GeometricFrequencies& unscaled, int pair) const {
  return share_in(treatments[static_cast<std::size_t>(pair)], [&] {
    return Interval((enclose(high_freq_factor) - turns(unscaled, pair, original_length)) /
                    enclose(Rational(high_freq_factor - low_freq_factor)));
  });
}

Interval Llama3Scaling::multiplier(const GeometricFrequencies& unscaled, int pair) const {
  return partly_divided(share(unscaled, pair), factor);
}

}  // namespace vernier
