#pragma once

#include <cstdint>

#include "reference/frequencies.hpp"

namespace vernier {

/// The mean of g(k)^2 over first <= k <= last, g the dot product of two rows k apart, at the working
/// precision. Not summed over k: g(k)^2 is a sum of products of cosines, hence of cosines of the sums and
/// differences of all two frequencies, and the sum of cos(k w) over k is
/// [sin((last + 1/2) w) - sin((first - 1/2) w)] / (2 sin(w / 2)), Dirichlet's kernel.
Interval mean_square_dot_product(const GeometricFrequencies& frequencies, std::int64_t first,
                                 std::int64_t last);

}  // namespace vernier
