#include "reference/frequencies/rope_scaling/blended.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <ranges>

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> clamp_names{"rotary_dim", "pairs"};

/// m(k) for a factor above 1.
Amplitude grown(const Rational& factor, const Rational& numerator, const Rational& denominator) {
  return factor > 1 ? Amplitude(LogarithmicRatio{factor, numerator, denominator}) : Amplitude(1);
}

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

void YarnScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange mscales{0, 1000, "a number from 0 to 1000"};
  visit_original_length(visit, original_length);
  visit_extension(visit, factor, original_length, context);
  visit.defaulted("clamp", clamp, one_of(clamp_names));
  visit.optional("mscale", mscale, number(mscales));
  visit.optional("mscale_all_dim", mscale_all_dim, number(mscales));
  visit_attention_factor(visit, attention_factor);
  visit.optional("extrapolation_factor", extrapolation, number(mscales), 1);
  auto ends = range.parameters();
  visit.defaulted("beta_fast", ends.fast, number(positive_range()));
  visit.defaulted("beta_slow", ends.slow, number(positive_range()));
  visit.defaulted("truncate", ends.truncate, boolean());
  if (!visit.fills()) {
    return;
  }
  const auto made = CorrectionRange::make(
      {context.rope_theta, context.rotary_dim, original_length, ends.fast, ends.slow, ends.truncate,
       clamp == Clamp::rotary_dim ? context.rotary_dim - 1 : context.rotary_dim / 2 - 1});
  visit.require(
      made.has_value(), "beta_fast",
      fmt::format(
          "more turns than beta_slow's {}, both within the pairs, as the ramp rises from one to the other",
          to_string(ends.slow)));
  range = made.value_or(range);
}

std::string YarnScaling::summary() const {
  const auto& ends = range.parameters();
  return fmt::format("YaRN by {} of {}, turns {} to {}{}{}", to_string(factor), original_length,
                     to_string(ends.fast), to_string(ends.slow), ends.truncate ? "" : ", not truncated",
                     extrapolation == 1 ? "" : ", extrapolation factor " + to_string(extrapolation));
}

Amplitude YarnScaling::amplitude() const {
  if (attention_factor) {
    return *attention_factor;
  }
  const bool both = mscale.value_or(0) != 0 && mscale_all_dim.value_or(0) != 0;
  return both ? grown(factor, *mscale, *mscale_all_dim) : grown(factor, 1, 0);
}

PairTreatment YarnScaling::treatment(const GeometricFrequencies&, int pair) const {
  if (factor == 1) {
    return PairTreatment::unchanged;
  }
  const auto on_ramp = range.treatment(pair);
  if (extrapolation == 1 || on_ramp == PairTreatment::divided) {
    return on_ramp;
  }
  return extrapolation == 0 ? PairTreatment::divided : PairTreatment::blended;
}

Interval YarnScaling::share(int pair) const {
  const Interval ramp = range.ramp(pair);
  return extrapolation == 1 ? ramp : Interval(1 - enclose(extrapolation) * (1 - ramp));
}

void Llama3Scaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange thresholds{0, 1'000'000, "a number above 0, at most 1e6", true};
  visit_scaling_factor(visit, factor);
  visit.required("low_freq_factor", low_freq_factor, number(thresholds));
  visit.required("high_freq_factor", high_freq_factor, number(thresholds));
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

}  // namespace vernier
