#pragma once

#include <span>
#include <vector>

#include "numerics/recipes/recipe.hpp"

namespace vernier {

/// All recipes Vernier knows: recipes.cpp lists them.
std::span<const Recipe> recipes();

/// The formats in which tables of this recipe are stored in practice: its own, and the narrower ones (but not
/// binary16 and bfloat16 into each other).
std::vector<Format> storage_formats(const Recipe& recipe);

}  // namespace vernier
