#pragma once

#include <string>
#include <string_view>

#include "reference/frequencies/frequencies.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

class KeyVisitor;

/// What specs of sinusoids and rotations say of positions that are no integers, and of a factor of their
/// frequencies: phase = frequency_scale w (position_scale p + position_offset).
struct RealPositions {
  PositionMap map;
  Constant frequency_scale;  ///< > 0

  /// "position_unit", "position_scale", "position_offset" and "frequency_scale".
  void keys(KeyVisitor& visit);
  /// Those of one axis of several. \param of_all what the spec says of all axes: their unit, and each number
  /// that the axis does not say
  void keys_of_axis(KeyVisitor& visit, const RealPositions& of_all);
  /// The frequencies of a family with all that in them, in radians a place.
  Frequencies of(Frequencies::Family family) const {
    return {std::move(family), frequency_scale, map.quantum()};
  }
  /// ", positions times 1/7 plus 1/2", or nothing to say.
  std::string summary() const;
  bool operator==(const RealPositions&) const = default;
};

inline constexpr std::string_view position_unit_key = "position_unit";

/// What a spec says of all axes where each says its own: their unit.
RealPositions with_unit_of(const RealPositions& positions);
/// Refuses a unit that numbers along axes do not have.
void require_unit_of_axes(KeyVisitor& visit, const RealPositions& of_all);

}  // namespace vernier
