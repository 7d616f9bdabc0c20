#pragma once

#include "numerics/recipes/recipe.hpp"
#include "reference/frequencies/amplitude.hpp"

namespace vernier {

/// The most that a recipe's element differs from A cos(phase), or A sin(phase), of the phase that it uses, in
/// shares of A:
///
///     4u + 2 u_c + half an ulp of the stored format where that is another,
///
/// u of the compute format: sine and cosine good to 2 ulp (SingleSineErrors shows it of those in float32), an
/// amplitude that is rounded, and its product (u_c = u, or 0 for A = 1).
double error_apart_from_phase(const Recipe& recipe, const Amplitude& amplitude, Format stored);

}  // namespace vernier
