#include "reference/frequencies/rope_scaling/divided.hpp"

#include <fmt/core.h>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {
namespace {

void visit_divisors(KeyVisitor& visit, std::string_view key, std::vector<Rational>& divisors, int pairs) {
  static const NumberRange each{0, 1'000'000, "a number above 0, at most 1e6", true};
  const auto count = static_cast<std::size_t>(pairs);
  const auto words = fmt::format("an array of {} numbers above 0, one for each pair", pairs);
  visit.required(key, divisors, list_of(each, {count, count, true}, words));
  visit.require(divisors.size() == count, key, fmt::format("{}, not {}", words, divisors.size()));
}

}  // namespace

void ProportionalScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  const Rational pairs = context.partial_rotary_factor * context.head_dim / 2;
  visit.fallback(live_pairs,
                 static_cast<int>(boost::multiprecision::mpz_int(numerator(pairs) / denominator(pairs))));
  visit.require_all(live_pairs >= 1,
                    fmt::format("expected a partial_rotary_factor that leaves at least one of {} pairs live",
                                context.head_dim / 2));
  visit_scaling_factor(visit, factor, false);
}

std::string ProportionalScaling::summary() const {
  return fmt::format("proportional, {} pairs live{}", live_pairs,
                     factor == 1 ? "" : ", divided by " + to_string(factor));
}

void LongRopeScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  const int pairs = context.rotary_dim / 2;
  visit_divisors(visit, "short_factor", short_factor, pairs);
  visit_divisors(visit, "long_factor", long_factor, pairs);
  visit_original_length(visit, original_length, context);
  take_length(visit, sequence_length, context, "to choose between short_factor and long_factor");
  // The stated context over the trained length, be it below 1.
  visit.fallback(factor,
                 Rational(context.max_position_embeddings.value_or(original_length), original_length));
  visit.defaulted("factor", factor, number(positive_range()));
  visit_attention_factor(visit, attention_factor);
  visit.optional("short_mscale", short_mscale, number(positive_range()));
  visit.optional("long_mscale", long_mscale, number(positive_range()));
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

void RiflexScaling::keys(KeyVisitor& visit, const RotaryContext& context) {
  visit.required("pair", pair, integer(0, context.rotary_dim / 2 - 1));
  visit.required("length", length, integer(2, largest_position));
}

Interval RiflexScaling::multiplier(const GeometricFrequencies& unscaled, int of) const {
  const auto by = replaced(of);
  return by ? Interval(enclose(*by) / unscaled.at(of)) : enclose(std::int64_t{1});
}

}  // namespace vernier
