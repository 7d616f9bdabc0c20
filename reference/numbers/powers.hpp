#pragma once

#include <optional>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {

/// base^exponent where it is rational and short enough to be halfway between two numbers of a format.
/// \param base > 0
std::optional<Rational> exact_power(const Rational& base, const Rational& exponent);

/// factor base^exponent. Where the power is rational, which it may be though the exponent is a fraction,
/// and short enough to be halfway between two numbers of a format, it is enclosed as that rational: so every
/// rounding of it is decided. \param base > 0
Real rational_power(const Rational& base, const Rational& exponent, const Rational& factor = 1);

/// Enclosures of natural logarithms at the working precision. They are remembered: one base stands behind
/// every pair of a table, and two behind every end of a ramp. \param value above 0
Interval log_of(const Rational& value);
Interval log_of_pi();

}  // namespace vernier
