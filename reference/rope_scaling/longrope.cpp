#include "reference/rope_scaling/longrope.hpp"

#include <fmt/core.h>

#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

std::vector<Rational> read_divisors(ObjectReader& reader, const std::string& key, int pairs) {
  const auto expected = fmt::format("an array of {} numbers above 0, one for each pair", pairs);
  const auto& array = reader.array(key, expected);
  if (array.size() != static_cast<std::size_t>(pairs)) {
    reader.refuse(key, fmt::format("{}, not {}", expected, array.size()));
  }
  return read_exact_numbers(
      reader, key, array, [](const Rational& x) { return x > 0 && x <= 1'000'000; },
      "a number above 0, at most 1e6");
}

/// "factor", or the stated context over the trained length, be it below 1.
Rational read_amplitude_factor(ObjectReader& reader, const RotaryContext& context,
                               std::int64_t original_length) {
  if (const auto factor = read_positive(reader, "factor")) {
    return *factor;
  }
  return Rational(context.max_position_embeddings.value_or(original_length), original_length);
}

}  // namespace

LongRopeScaling LongRopeScaling::read(ObjectReader& reader, const RotaryContext& context) {
  const int pairs = context.rotary_dim / 2;
  auto short_factor = read_divisors(reader, "short_factor", pairs);
  auto long_factor = read_divisors(reader, "long_factor", pairs);
  const auto original_length = read_original_length(reader, context);
  return {std::move(short_factor),
          std::move(long_factor),
          original_length,
          known_length(reader, context, "to choose between short_factor and long_factor"),
          read_amplitude_factor(reader, context, original_length),
          read_attention_factor(reader),
          read_positive(reader, "short_mscale"),
          read_positive(reader, "long_mscale")};
}

OrderedJson LongRopeScaling::parameters() const {
  OrderedJson result{{"short_factor", exact_json_numbers(short_factor)},
                     {"long_factor", exact_json_numbers(long_factor)},
                     {"original_max_position_embeddings", original_length},
                     {"factor", json_number(factor)}};
  const auto add = [&](std::string_view key, const std::optional<Rational>& value) {
    if (value) {
      result[key] = json_number(*value);
    }
  };
  add("attention_factor", attention_factor);
  add("short_mscale", short_mscale);
  add("long_mscale", long_mscale);
  return result;
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
