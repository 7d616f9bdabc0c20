#pragma once

#include <memory>

#include "numerics/recipes/recipe.hpp"

namespace vernier {

/// How a recipe gets from the places of a table (position_map.hpp) to phases. Where positions are scaled, it
/// computes x = (s p + o) f of the position p, the position's scale s and offset o and the frequencies' scale
/// f, as code does that is given real positions: p, s, o, f and every operation rounded to its compute format
/// (p first to that of its positions). Of x it makes phases as it does of integers.
/// \throws InputError for frequencies that the recipe does not compute
std::unique_ptr<PhaseRule> phases_of(const Recipe& recipe, const TrigTable& table);

}  // namespace vernier
