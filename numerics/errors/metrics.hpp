#pragma once

#include <cstdint>

#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// (got - truth) / ulp(truth) as a real number, truth never rounded first; off by at most about 2^-50 of an
/// ulp.
///
/// ulp(z) = 2^(max(e, emin) - p + 1) with e = floor(log2 |z|). Where z is exactly a power of two, the gap
/// below it is half as wide and counts for errors toward zero. z = 0 uses the smallest subnormal. An infinity
/// counts as +-2^(emax+1). \param got a value of `format`; NaN gives NaN
double signed_ulp_error(Format format, double got, const Enclosure& truth);

/// got - truth, to about 2^-53 of itself or of the enclosure's width. Infinity and NaN give themselves.
double signed_error(double got, const Enclosure& truth);

/// How many steps of the format lie between two values: the difference of their places on a line of all bit
/// patterns in the order of their values, on which +0 and -0 are one apart. NaN against a number is
/// infinitely far (the largest uint64), two NaNs are zero apart.
std::uint64_t ordinal_distance(Format format, double a, double b);

/// |error| in units of u (1 + |phase|) amplitude, u the unit roundoff of `format`: the error that one
/// rounding of the phase would explain. Unlike the ulp error it does not explode at the zeros of sine and
/// cosine.
double phase_roundings(Format format, double error, double phase, double amplitude);

}  // namespace vernier
