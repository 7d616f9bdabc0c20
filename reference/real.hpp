#pragma once

#include <functional>
#include <optional>

#include "reference/enclosure.hpp"
#include "reference/format.hpp"
#include "reference/interval.hpp"

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

}  // namespace vernier
