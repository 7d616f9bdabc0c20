#pragma once

#include <optional>
#include <span>

#include "numerics/identification/fitted_phasor.hpp"

namespace vernier {

/// How far the positions that a table holds are from those it is said to hold.
struct PositionOffset {
  double offset = 0;       ///< positions are larger by this
  double uncertainty = 0;  ///< of the offset
  double misfit = 0;       ///< the median distance of the phasors' phases from offset * w, radians
};

/// A shift of all positions turns every phasor by the shift times its frequency. Slow phasors say which
/// multiple of their turns the faster ones have made, which then say it more exactly. \param phasors of
/// positive frequencies; those slower than four times their uncertainty are left out \return nothing if no
/// phasor is left
std::optional<PositionOffset> position_offset(std::span<const FittedPhasor> phasors);

}  // namespace vernier
