#include <cmath>

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

/// 1 / base^(2i/d) in the arithmetic of `Number`: base, exponent, power and quotient each rounded.
template <class Number, Format format>
std::unique_ptr<PhaseRule> prepare(const RecipeFrequencies& wanted) {
  const auto base = static_cast<Number>(wanted.base());
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const auto exponent = static_cast<Number>(approximately(Rational(pair * wanted.step())));
    const auto frequency = static_cast<double>(Number{1} / std::pow(base, exponent));
    result.push_back(wanted.scaled(format, pair, frequency));
  }
  return std::make_unique<ProductPhases>(format, std::move(result));
}

}  // namespace

Recipe float32_reciprocal_power() {
  return {"float32-pow", "1 / base^(2i/d) in float32: Hugging Face's inv_freq, gpt-oss, torchtune",
          Format::binary32, "float32", prepare<float, Format::binary32>};
}

Recipe float64_reciprocal_power() {
  return {"float64-pow", "1 / base^(2i/d) and all else in float64: NumPy", Format::binary64, "float64",
          prepare<double, Format::binary64>};
}

}  // namespace vernier
