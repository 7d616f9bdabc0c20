#include "reference/rope_scaling/yarn.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/rope_scaling/blend.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> clamp_names{"rotary_dim", "pairs"};

/// m(k) for a factor above 1.
Amplitude grown(const Rational& factor, const Rational& numerator, const Rational& denominator) {
  return factor > 1 ? Amplitude(LogarithmicRatio{factor, numerator, denominator}) : Amplitude(1);
}

}  // namespace

void YarnScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  static const NumberRange mscales{0, 1000, "a number from 0 to 1000"};
  visit_original_length(visit, original_length);
  visit_extension(visit, factor, original_length, context);
  visit.defaulted({"clamp", "the last pair that the ramp may reach: r - 1, or r/2 - 1"}, clamp,
                  one_of(clamp_names));
  visit.optional({"mscale", "k of the amplitude m(k) = 1 + (k/10) ln s, where mscale_all_dim divides it"},
                 mscale, number(mscales));
  visit.optional({"mscale_all_dim", "k of the m(k) that divides the amplitude"}, mscale_all_dim,
                 number(mscales));
  visit_attention_factor(visit, attention_factor);
  auto ends = range.parameters();
  visit.defaulted({"beta_fast", "the turns within n above which a pair stays as it is"}, ends.fast,
                  number(positive_range()));
  visit.defaulted({"beta_slow", "the turns within n below which a pair is divided by s"}, ends.slow,
                  number(positive_range()));
  visit.defaulted({"truncate", "whether the ends of the ramp are whole pairs"}, ends.truncate, boolean());
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
  return fmt::format("YaRN by {} of {}, turns {} to {}{}", to_string(factor), original_length,
                     to_string(ends.fast), to_string(ends.slow), ends.truncate ? "" : ", not truncated");
}

Amplitude YarnScaling::amplitude() const {
  if (attention_factor) {
    return *attention_factor;
  }
  const bool both = mscale.value_or(0) != 0 && mscale_all_dim.value_or(0) != 0;
  return both ? grown(factor, *mscale, *mscale_all_dim) : grown(factor, 1, 0);
}

Amplitude YarnScaling::softmax_scale_root() const {
  return grown(factor, mscale_all_dim.value_or(0), 0);
}

Interval YarnScaling::multiplier(const GeometricFrequencies&, int pair) const {
  return partly_divided(range.ramp(pair), factor);
}

}  // namespace vernier
