#pragma once

#include "reference/enclosure.hpp"
#include "reference/format.hpp"

namespace vernier {

/// What an element that is only rounded may be off by, in absolute terms: `ulps` of the distance to its
/// neighbour on the side of the truth, and nothing where the truth is known to be a number of the format.
///
/// The neighbour says which numbers are next to the truth: an element is nearest to it if it is off by at
/// most half that distance, and one of the two that enclose it if it is off by less than all of it. An ulp of
/// the truth does not say so at a power of two, where half of one reaches the number before it.
///
/// Infinite where the truth overflows its enclosure.
/// \param ulps 1/2 or 1  \param got a number of the format `stored`, infinity or NaN
double rounding_budget(Format stored, double ulps, double got, const Enclosure& truth);

}  // namespace vernier
