#include "reference/rope_scaling/yarn.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/rope_scaling/blend.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> clamp_names{"rotary_dim", "pairs"};

std::optional<Rational> read_mscale(ObjectReader& reader, std::string_view key) {
  return reader.optional_number(
      key, [](const Rational& x) { return x >= 0 && x <= 1000; }, "a number from 0 to 1000");
}

CorrectionRange read_range(ObjectReader& reader, const RotaryContext& context, std::int64_t original_length,
                           YarnScaling::Clamp clamp) {
  const auto fast = read_positive(reader, "beta_fast").value_or(32);
  const auto slow = read_positive(reader, "beta_slow").value_or(1);
  const bool truncate = reader.optional_boolean("truncate").value_or(true);
  const int greatest =
      clamp == YarnScaling::Clamp::rotary_dim ? context.rotary_dim - 1 : context.rotary_dim / 2 - 1;
  auto range = CorrectionRange::make(
      {context.rope_theta, context.rotary_dim, original_length, fast, slow, truncate, greatest});
  if (!range) {
    reader.refuse(
        "beta_fast",
        fmt::format(
            "more turns than beta_slow's {}, both within the pairs, as the ramp rises from one to the other",
            to_string(slow)));
  }
  return *range;
}

/// m(k) for a factor above 1.
Amplitude grown(const Rational& factor, const Rational& numerator, const Rational& denominator) {
  return factor > 1 ? Amplitude(LogarithmicRatio{factor, numerator, denominator}) : Amplitude(1);
}

void add(OrderedJson& to, std::string_view key, const std::optional<Rational>& value) {
  if (value) {
    to[key] = json_number(*value);
  }
}

}  // namespace

YarnScaling YarnScaling::read(ObjectReader& reader, const RotaryContext& context) {
  const auto original_length = read_original_length(reader);
  const auto factor = read_extension(reader, context, original_length);
  const auto clamp = static_cast<Clamp>(reader.choice("clamp", {clamp_names[0], clamp_names[1]}, 0));
  return {factor,
          original_length,
          clamp,
          read_mscale(reader, "mscale"),
          read_mscale(reader, "mscale_all_dim"),
          read_attention_factor(reader),
          read_range(reader, context, original_length, clamp)};
}

OrderedJson YarnScaling::parameters() const {
  const auto& ends = range.parameters();
  OrderedJson result{
      {"factor", json_number(factor)},       {"original_max_position_embeddings", original_length},
      {"beta_fast", json_number(ends.fast)}, {"beta_slow", json_number(ends.slow)},
      {"truncate", ends.truncate},           {"clamp", clamp_names[static_cast<std::size_t>(clamp)]}};
  add(result, "mscale", mscale);
  add(result, "mscale_all_dim", mscale_all_dim);
  add(result, "attention_factor", attention_factor);
  return result;
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
