#pragma once

#include <optional>
#include <span>

#include "numerics/recovery/tone.hpp"

namespace vernier {

/// How far the positions that a table holds are from those it is said to hold.
struct PositionOffset {
  double offset = 0;       ///< positions are larger by this
  double uncertainty = 0;  ///< of the offset
  double misfit = 0;       ///< the median distance of the tones' phases from offset * w, radians
};

/// A shift of all positions turns every tone by the shift times its frequency. Slow tones say which multiple
/// of their turns the faster ones have made, which then say it more exactly.
/// \param tones of positive frequencies; those slower than four times their uncertainty are left out
/// \return nothing if no tone is left
std::optional<PositionOffset> position_offset(std::span<const Tone> tones);

}  // namespace vernier
