#pragma once

#include <functional>
#include <span>

#include "numerics/computation/computation.hpp"
#include "numerics/computation/suspect.hpp"

namespace vernier {

/// The number near `start` with which a computation is nearest to the tensors: a few Gauss-Newton steps over
/// some rows, elements that are far off left out; then the middle of the numbers that every element allows,
/// if there are any, each element being linear in the number so near. Values stored in 16 bits tell a number
/// in this way to a small part of their rounding. \param set puts the number into a copy of the base \param
/// step of the derivative
double polished(const Suspect& suspect, const Computation& base, double start, double step,
                const std::function<void(Computation&, double)>& set);

/// Moves the frequencies of these pairs, each near the right one, to where their elements show them best: two
/// steps of least squares, every element weighed by its budget and those that are far off left out; then the
/// middle of the frequencies that every element of the pair allows, if there are any. Tiny frequencies become
/// as exact, relatively, as their sines are.
void polish_tones(const Suspect& suspect, Computation& computation, std::span<const int> pairs);

}  // namespace vernier
