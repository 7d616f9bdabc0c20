#pragma once

#include "reference/format.hpp"
#include "reference/frequencies.hpp"

namespace vernier {

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

}  // namespace vernier
