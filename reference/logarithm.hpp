#pragma once

#include "reference/interval.hpp"

namespace vernier {

/// Enclosures of natural logarithms at the working precision. They are remembered: one base stands behind
/// every pair of a table, and two behind every end of a ramp. \param value above 0
Interval log_of(const Rational& value);
Interval log_of_pi();

}  // namespace vernier
