#pragma once

#include <cstdint>
#include <optional>

#include "numerics/decoding/pair_signal.hpp"

namespace vernier {

/// The phasor A exp(i (p w + phi)) that a pair's points are, as measured.
struct FittedPhasor {
  double frequency = 0;    ///< w, in radians a position; negative if the points go round clockwise
  double uncertainty = 0;  ///< of w, in radians a position
  double phase = 0;        ///< phi, in (-pi, pi]: where the phasor stands at position 0
  double phase_uncertainty = 0;
  double amplitude = 0;  ///< A, the median of |z|
  double scatter = 0;    ///< the median distance of the points' angles from the phasor's, in radians
  /// The greatest distance of positions over which the points keep to the phasor. Less than their span where
  /// positions wrap or are clamped, or where phases have lost their meaning.
  std::int64_t horizon = 0;
  /// Nothing, or w is only known up to multiples of this, as the positions leave out what is between.
  std::optional<double> ambiguity = std::nullopt;
};

/// The upper of two middle ones; 0 of none.
double median(std::vector<double> values);

/// Measures the phasor of a signal: the smallest gap that positions often have gives a first frequency, and
/// distances of positions twice, four times ... as large refine it, as long as the angles of the points stay
/// together; a robust line through the angles gives the rest. Up to a fifth of the points may be anything.
///
/// `uncertainty` is the deviation of the line's slope from scatter alone, and 2^-25 of w besides: float32
/// phases are rounded alike at many positions, and such errors do not average out.
/// \param expected chooses among the frequencies that the positions cannot tell apart
/// \return nothing if there are fewer than eight points or no phasor in them
std::optional<FittedPhasor> fit_phasor(const PairSignal& signal,
                                       std::optional<double> expected = std::nullopt);

}  // namespace vernier
