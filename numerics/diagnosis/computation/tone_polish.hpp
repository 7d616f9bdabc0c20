#pragma once

#include <span>

#include "numerics/diagnosis/computation/computation.hpp"
#include "numerics/diagnosis/computation/suspect.hpp"

namespace vernier {

/// Moves the frequencies of these pairs, each near the right one, to where their elements show them best: two
/// steps of least squares, every element weighed by its budget and those that are far off left out; then the
/// middle of the frequencies that every element of the pair allows, if there are any. Tiny frequencies become
/// as exact, relatively, as their sines are.
void polish_tones(const Suspect& suspect, Computation& computation, std::span<const int> pairs);

}  // namespace vernier
