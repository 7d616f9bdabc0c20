#pragma once

#include "reference/numbers/interval.hpp"

namespace vernier {

/// Enclosures of both functions of one phase.
struct SineCosine {
  Interval sine;
  Interval cosine;
};

/// Both functions at the working precision, for little more than the price of one: MPFR computes them
/// together at the middle of the phase, and as neither moves faster than its argument, the phase's own radius
/// is added to each.
SineCosine sine_cosine(const Interval& phase);

}  // namespace vernier
