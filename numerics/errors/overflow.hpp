#pragma once

#include "reference/numbers/format.hpp"

namespace vernier {

/// Where a number is that may be off: within the range of a format, perhaps beyond, or surely.
enum class Extremity { within, at_its_end, beyond };

/// \param overflow what becomes of numbers beyond the range; where nobody says, they are as any other.
/// Numbers that saturate have no threshold: near the end the nearest number is the same either way. \param
/// magnitude of what is stored \param off what it may be off by before
Extremity extremity_of(Overflow overflow, Format stored, double magnitude, double off);

/// Whether what is stored is held to the overflow: it is beyond the range, or at its end and no number.
/// \param got what is stored
bool has_overflown(Overflow overflow, Format stored, double magnitude, double off, double got);

/// The greatest magnitude that is stored as any other: the largest number where others saturate, else the
/// least that rounds beyond it, or ties with it.
double end_of_range(Overflow overflow, Format stored);

/// The number, infinity or NaN that a number beyond the range becomes. \pre overflow is declared
double overflow_value(Overflow overflow, Format stored, double number);

/// The format's number for a number that overflows it or does not.
double rounded_with(Overflow overflow, Format format, double value);

}  // namespace vernier
