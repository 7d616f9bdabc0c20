#include "numerics/recipes/reciprocal_power.hpp"

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

template <class Number, Format format>
std::unique_ptr<PhaseRule> prepare_reciprocal_power(const RecipeFrequencies& wanted) {
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    result.push_back(wanted.scaled(format, pair, reciprocal_power<Number>(wanted, pair)));
  }
  return std::make_unique<ProductPhases>(format, std::move(result));
}

}  // namespace

Recipe float32_reciprocal_power() {
  return {"float32-pow", "1 / base^(2i/d) in float32: Hugging Face's inv_freq, gpt-oss, torchtune",
          Format::binary32, "float32", prepare_reciprocal_power<float, Format::binary32>};
}

Recipe float64_reciprocal_power() {
  return {"float64-pow", "1 / base^(2i/d) and all else in float64: NumPy", Format::binary64, "float64",
          prepare_reciprocal_power<double, Format::binary64>};
}

}  // namespace vernier
