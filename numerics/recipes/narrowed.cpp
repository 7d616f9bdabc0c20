#include "numerics/recipes/recipes.hpp"
#include "numerics/recipes/reciprocal_power.hpp"

namespace vernier {
namespace {

/// 1 / base^(2i/d) in float32, scaled, and rounded to a format: an inv_freq that was cast with the model.
std::vector<double> narrowed_frequencies(const RecipeFrequencies& wanted, Format narrowed) {
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const double frequency = reciprocal_power<float>(wanted, pair);
    result.push_back(round_to(narrowed, wanted.scaled(Format::binary32, pair, frequency)));
  }
  return result;
}

template <Format narrowed>
std::unique_ptr<PhaseRule> narrowed_frequencies(const RecipeFrequencies& wanted) {
  return std::make_unique<ProductPhases>(Format::binary32, narrowed_frequencies(wanted, narrowed));
}

template <Format narrowed>
std::unique_ptr<PhaseRule> narrowed_positions(const RecipeFrequencies& wanted) {
  return std::make_unique<ProductPhases>(Format::binary32, narrowed_frequencies(wanted, Format::binary32),
                                         narrowed);
}

}  // namespace

Recipe bfloat16_frequency() {
  return {"bfloat16-frequency",
          "inv_freq rounded to bfloat16, all else in float32: a model's buffers cast with its weights",
          Format::binary32,
          "bfloat16",
          narrowed_frequencies<Format::bfloat16>,
          Format::bfloat16};
}

Recipe float16_frequency() {
  return {"float16-frequency",
          "inv_freq rounded to float16, all else in float32",
          Format::binary32,
          "float16",
          narrowed_frequencies<Format::binary16>,
          Format::binary16};
}

Recipe bfloat16_position() {
  return {"bfloat16-position",
          "positions rounded to bfloat16, all else in float32: position ids made in the model's dtype",
          Format::binary32,
          "bfloat16",
          narrowed_positions<Format::bfloat16>,
          Format::bfloat16};
}

Recipe float16_position() {
  return {"float16-position",
          "positions rounded to float16, all else in float32",
          Format::binary32,
          "float16",
          narrowed_positions<Format::binary16>,
          Format::binary16};
}

}  // namespace vernier
