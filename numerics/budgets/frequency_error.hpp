#pragma once

#include "reference/frequencies/frequencies.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// What one relative error after another makes: (1 + a)(1 + b) - 1.
inline double compounded(double a, double b) {
  return a + b + a * b;
}

/// The relative error allowed to the frequency of a pair that is computed in one format by the operations
/// people use, whatever the family: derived beside each in frequency_error.cpp and scaling_error.cpp. Zero
/// for w = 1 and w = 0, which every way gives exactly; infinite where there is no bound, as for a frequency
/// that overflows the format.
double frequency_error(const Frequencies& frequencies, int pair, Format format);

/// The same for a frequency that is scaled, given what its unscaled one may be off by.
double scaling_error(const ScaledFrequencies& frequencies, int pair, Format format, double unscaled_error);

/// The relative error of the ratio of a frequency to its scaled one, by which an implementation divides the
/// phase, and of that quotient. Zero where the ratio is one, as where the scaling is all in the base.
double division_error(const ScaledFrequencies& frequencies, int pair, Format format);

/// How often more a phase is rounded if it is scaled in place of its frequency, as ggml does and as code does
/// that scales positions: a quotient or product once, unless by a power of two; in YaRN's ramp the phase, and
/// the phase times the factor, are each multiplied by their share and added, three roundings of the longer
/// way. 0 where the scaling is all in the base or leaves the pair alone.
int scaling_roundings(const ScaledFrequencies& frequencies, int pair);

}  // namespace vernier
