#pragma once

#include "reference/rational.hpp"
#include "reference/real.hpp"

namespace vernier {

/// factor base^exponent. Where the power it is rational, which it may be though the exponent is a fraction,
/// and short enough to be halfway between two numbers of a format, it is enclosed as that rational: so every
/// rounding of it is decided. \param base > 0
Real rational_power(const Rational& base, const Rational& exponent, const Rational& factor = 1);

}  // namespace vernier
