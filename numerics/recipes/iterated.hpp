#pragma once

#include <memory>

#include "numerics/recipes/recipe.hpp"

namespace vernier {

/// Phases that are carried from pair to pair, each the one before times a ratio, in float32.
std::unique_ptr<PhaseRule> iterated_phases(const RecipeFrequencies& wanted);

}  // namespace vernier
