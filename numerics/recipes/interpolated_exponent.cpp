#include <cmath>

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

/// exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32, max and min the greatest and the least
/// frequency.
std::unique_ptr<PhaseRule> prepare_interpolated_exponent(const RecipeFrequencies& wanted) {
  const int last = wanted.pairs() - 1;
  const auto length = static_cast<float>(std::log(wanted.base()) * last * approximately(wanted.step()));
  std::vector<double> result;
  for (int pair = 0; pair <= last; ++pair) {
    const float rest = last == 0 ? 1.0F : 1.0F - static_cast<float>(pair) / static_cast<float>(last);
    const float frequency = std::exp(rest * length - length);
    result.push_back(wanted.scaled(Format::binary32, pair, static_cast<double>(frequency)));
  }
  return std::make_unique<ProductPhases>(Format::binary32, std::move(result));
}

}  // namespace

Recipe float32_interpolated() {
  return {"float32-interpolated",
          "exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32: MLX's SinusoidalPositionalEncoding",
          Format::binary32, "float32-interpolated", prepare_interpolated_exponent};
}

}  // namespace vernier
