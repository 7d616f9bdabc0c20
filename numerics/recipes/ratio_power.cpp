#include <cmath>

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

/// pow(theta_scale, i) with theta_scale = pow(base, -2/d), both in float32.
std::unique_ptr<PhaseRule> prepare_ratio_power(const RecipeFrequencies& wanted) {
  const float ratio =
      std::pow(static_cast<float>(wanted.base()), static_cast<float>(-approximately(wanted.step())));
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const float frequency = std::pow(ratio, static_cast<float>(pair));
    result.push_back(wanted.scaled(Format::binary32, pair, static_cast<double>(frequency)));
  }
  return std::make_unique<ProductPhases>(Format::binary32, std::move(result));
}

}  // namespace

Recipe float32_ratio_power() {
  return {"float32-ratio-power", "pow(base^(-2/d), i) in float32: ggml's GPU back ends", Format::binary32,
          "float32-ratio-power", prepare_ratio_power};
}

}  // namespace vernier
