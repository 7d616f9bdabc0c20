#include "reference/rope_scaling/llama3.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>

#include <fmt/core.h>

#include "reference/decided.hpp"
#include "reference/rope_scaling/blend.hpp"
#include "reference/rope_scaling/scaling_parameters.hpp"
#include "reference/schemes/parameters.hpp"

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

Rational read_threshold(ObjectReader& reader, std::string_view key) {
  return reader.number(
      key, [](const Rational& x) { return x > 0 && x <= 1'000'000; }, "a number above 0, at most 1e6");
}

}  // namespace

Llama3Scaling Llama3Scaling::read(ObjectReader& reader, const RotaryContext& context) {
  Llama3Scaling result{read_scaling_factor(reader),
                       read_threshold(reader, "low_freq_factor"),
                       read_threshold(reader, "high_freq_factor"),
                       read_original_length(reader),
                       {}};
  if (result.low_freq_factor > result.high_freq_factor) {
    reader.refuse("low_freq_factor",
                  "at most high_freq_factor, which is " + to_string(result.high_freq_factor));
  }
  const auto progression = context.progression();
  const int blended = first_not_above(result.high_freq_factor, progression, result.original_length);
  const int divided = first_not_above(result.low_freq_factor, progression, result.original_length);
  for (int pair = 0; pair < progression.pairs; ++pair) {
    result.treatments.push_back(pair < blended   ? PairTreatment::unchanged
                                : pair < divided ? PairTreatment::blended
                                                 : PairTreatment::divided);
  }
  return result;
}

OrderedJson Llama3Scaling::parameters() const {
  return {{"factor", json_number(factor)},
          {"low_freq_factor", json_number(low_freq_factor)},
          {"high_freq_factor", json_number(high_freq_factor)},
          {"original_max_position_embeddings", original_length}};
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
