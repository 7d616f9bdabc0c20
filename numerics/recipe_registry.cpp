#include "numerics/recipe_registry.hpp"

#include <array>

#include "numerics/recipes/recipes.hpp"

namespace vernier {

std::span<const Recipe> recipes() {
  static const std::array all{
      float64_reciprocal_power(), float32_rounded_frequency(), float32_reciprocal_power(),
      float32_exp_log(),          float32_iterated(),          float32_ratio_power(),
      float32_interpolated(),     float16_throughout(),        bfloat16_throughout(),
      bfloat16_frequency(),       float16_frequency(),         bfloat16_position(),
      float16_position(),
  };
  return all;
}

std::vector<Format> storage_formats(const Recipe& recipe) {
  std::vector<Format> result;
  for (const auto format : all_formats()) {
    if (recipe.narrowed && format != recipe.compute) {
      continue;
    }
    if (format == recipe.compute || traits(format).precision < traits(recipe.compute).precision) {
      const bool between_16_bit = format != recipe.compute && recipe.compute == Format::binary16;
      if (!between_16_bit) {
        result.push_back(format);
      }
    }
  }
  return result;
}

}  // namespace vernier
