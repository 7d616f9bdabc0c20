#pragma once

#include <cmath>

#include "reference/real.hpp"

namespace vernier {

/// An enclosure of a number, or a tight one where that is too coarse: as of sines next to zero, which streams
/// enclose absolutely, to 2^-100 or so. To 2^-60 of the number the error of any float64 is known well enough.
/// \param number called only then; returns the Real
template <class Number>
Enclosure refined(const Enclosure& enclosure, const Number& number) {
  const bool is_coarse = enclosure.radius > 0x1p-60 * std::fabs(enclosure.approximately());
  return is_coarse ? tight_enclosure(number()) : enclosure;
}

}  // namespace vernier
