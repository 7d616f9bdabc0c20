#pragma once

#include <string>

#include "numerics/computation/suspect.hpp"

namespace vernier {

/// What a computation in place of the declared one does to a model, in figures: which positions cannot be
/// told apart, or how far the score of two equal vectors, every pair of which has the same length, drifts
/// with their distance. A whole sentence; empty where neither is so.
std::string consequence_of(const Suspect& suspect, const Computation& edited);

}  // namespace vernier
