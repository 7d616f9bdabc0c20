#include "numerics/recipes/recipe_registry.hpp"

#include "numerics/recipes/recipes.hpp"

namespace vernier {

std::span<const Recipe> recipes() {
  static const auto all = make_all(recipe_makers);
  return all;
}

std::vector<Format> storage_formats(const Recipe& recipe) {
  std::vector<Format> result;
  for (const auto format : computing_formats()) {
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
