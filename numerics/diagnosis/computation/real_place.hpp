#pragma once

#include "reference/position_map.hpp"

namespace vernier {

/// The place of a number as positions are given, whole or not, to some ulp: what PositionMap::approximate()
/// is the inverse of.
inline double real_place(const PositionMap& map, double number) {
  return number / approximately(map.unit()) * static_cast<double>(map.stride()) +
         static_cast<double>(map.shift());
}

/// The number that a real place stands for.
inline double real_number(const PositionMap& map, double place) {
  return (place - static_cast<double>(map.shift())) / static_cast<double>(map.stride()) *
         approximately(map.unit());
}

}  // namespace vernier
