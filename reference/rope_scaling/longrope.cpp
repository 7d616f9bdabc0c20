#include "reference/rope_scaling/longrope.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

void visit_divisors(KeyVisitor& visit, const KeyText& key, std::vector<Rational>& divisors, int pairs) {
  static const NumberRange each{0, 1'000'000, "a number above 0, at most 1e6", true};
  const auto count = static_cast<std::size_t>(pairs);
  const auto words = fmt::format("an array of {} numbers above 0, one for each pair", pairs);
  visit.required(key, divisors, list_of(each, {count, count, true}, words));
  visit.require(divisors.size() == count, key.name, fmt::format("{}, not {}", words, divisors.size()));
}

}  // namespace

void LongRopeScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  const int pairs = context.rotary_dim / 2;
  visit_divisors(visit, {"short_factor", "what frequencies are divided by, for lengths up to n", "pairs"},
                 short_factor, pairs);
  visit_divisors(visit, {"long_factor", "what they are divided by for longer ones", "pairs"}, long_factor,
                 pairs);
  visit_original_length(visit, original_length, context);
  take_length(visit, sequence_length, context, "to choose between short_factor and long_factor");
  // The stated context over the trained length, be it below 1.
  visit.fallback(factor,
                 Rational(context.max_position_embeddings.value_or(original_length), original_length));
  visit.defaulted({"factor", "s, of the amplitude sqrt(1 + ln s/ln n) alone"}, factor,
                  number(positive_range()));
  visit_attention_factor(visit, attention_factor);
  visit.optional({"short_mscale", "the amplitude for lengths up to n"}, short_mscale,
                 number(positive_range()));
  visit.optional({"long_mscale", "the amplitude for longer ones"}, long_mscale, number(positive_range()));
}

std::string LongRopeScaling::summary() const {
  return fmt::format("LongRoPE, {} factors for length {} of {} trained{}", is_long() ? "long" : "short",
                     sequence_length, original_length,
                     sequence_length == original_length ? ", exactly on the switch" : "");
}

Amplitude LongRopeScaling::amplitude() const {
  if (attention_factor) {
    return *attention_factor;
  }
  if (const auto& mscale = is_long() ? long_mscale : short_mscale) {
    return *mscale;
  }
  return factor > 1 ? Amplitude(LogarithmicRoot{factor, original_length}) : Amplitude(1);
}

}  // namespace vernier
