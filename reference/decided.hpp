#pragma once

#include <cstdint>
#include <optional>

#include "reference/real.hpp"

namespace vernier {

/// The sign of a real number, proved by an enclosure that lies on one side of zero, or is zero itself: -1, 0
/// or 1. The precision is raised as in correctly_rounded; nothing means undecided at the cap, as for a number
/// that is zero but not by exact arithmetic.
std::optional<int> decided_sign(const Real& number);

/// The greatest integer not above a real number, proved likewise; nothing if undecided at the cap.
/// \pre the number is within +-2^62
std::optional<std::int64_t> decided_floor(const Real& number);

}  // namespace vernier
