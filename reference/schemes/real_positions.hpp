#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/frequencies.hpp"
#include "reference/json.hpp"
#include "reference/position_map.hpp"

namespace vernier {

/// What specs of sinusoids and rotations say of positions that are no integers, and of a factor of their
/// frequencies: phase = frequency_scale w (position_scale p + position_offset).
struct RealPositions {
  PositionMap map;
  Constant frequency_scale;  ///< > 0

  /// Reads "position_scale", "position_offset", "position_unit" and "frequency_scale".
  static RealPositions read(ObjectReader& reader);
  /// The same of one axis of several. \param of_all what the spec says of all axes: their unit, and each
  /// number that the axis does not say
  static RealPositions read_axis(ObjectReader& reader, const RealPositions& of_all);
  /// Those that are not as they are where a spec says nothing.
  void write(OrderedJson& to) const;
  /// The frequencies of a family with all that in them, in radians a place.
  Frequencies of(Frequencies::Family family) const {
    return {std::move(family), frequency_scale, map.quantum()};
  }
  /// ", positions times 1/7 plus 1/2", or nothing to say.
  std::string summary() const;
  bool operator==(const RealPositions&) const = default;
};

inline constexpr std::string_view position_unit_key = "position_unit";

/// A power of two: 1 where a spec says nothing.
Rational read_position_unit(ObjectReader& reader);

}  // namespace vernier
