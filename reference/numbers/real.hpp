#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {

/// A real number, given by how to enclose it at the working precision.
using Real = std::function<Interval()>;

/// Ziv's loop starts at this many bits, doubles them, and gives up after `ziv_precision_cap`. Over a
/// million-entry tables the hardest cases need about 53 + 2 log2(10^6) bits; a number that 4096 bits cannot
/// tell from a midpoint is one.
inline constexpr unsigned ziv_first_precision = 128;
inline constexpr unsigned ziv_precision_cap = 4096;

/// `number` rounded to nearest in `format`, proved: the precision is raised until the enclosure rounds to one
/// value. Nothing means *undecided* at the cap; whoever asked must say so. Exact values (an interval of one
/// point) always decide.
std::optional<double> correctly_rounded(Format format, const Real& number,
                                        unsigned precision_cap = ziv_precision_cap);

/// An enclosure of `number` with a radius of at most 2^-100 of its magnitude, or the best below the cap.
Enclosure tight_enclosure(const Real& number);

/// The sign of a real number, proved by an enclosure that lies on one side of zero, or is zero itself: -1, 0
/// or 1. The precision is raised as in correctly_rounded; nothing means undecided at the cap, as for a number
/// that is zero but not by exact arithmetic.
std::optional<int> decided_sign(const Real& number);

/// The greatest integer not above a real number, proved likewise; nothing if undecided at the cap.
/// \pre the number is within +-2^62
std::optional<std::int64_t> decided_floor(const Real& number);

/// An enclosure of a number, or a tight one where that is too coarse: as of sines next to zero, which streams
/// enclose absolutely, to 2^-100 or so. To 2^-60 of the number the error of any float64 is known well enough.
/// \param number called only then; returns the Real
template <class Number>
Enclosure refined(const Enclosure& enclosure, const Number& number) {
  const bool is_coarse = enclosure.radius > 0x1p-60 * std::fabs(enclosure.approximately());
  return is_coarse ? tight_enclosure(number()) : enclosure;
}

/// A real number that is neither rational nor a sine of a table, and what computing it costs. Who defines the
/// number derives both, as the cost follows from the formula.
struct ComputedReal {
  Real value;
  double estimate = 0;  ///< of the value, in double precision: for screens and the size of budgets
  /// What an honest computation in a format with this unit roundoff is off by at most. Null where nothing is
  /// computed, and the value is merely stored.
  std::function<double(double roundoff)> error = nullptr;
};

/// The most that so many roundings move a value of magnitude one: (1 + u)^roundings - 1. A function of a
/// library is good to 1 ulp, which is two roundings.
double growth_by(double roundings, double roundoff);

}  // namespace vernier
