#pragma once

#include <cstdint>

namespace vernier {

/// Integer positions may be as large as this in magnitude, everywhere.
inline constexpr std::int64_t largest_position = std::int64_t{1} << 31;

/// The positions first, first + step, first + 2 step ..., `count` of them.
struct PositionRange {
  std::int64_t first = 0;
  std::int64_t step = 1;   ///< not zero
  std::int64_t count = 0;  ///< >= 0

  std::int64_t at(std::int64_t row) const { return first + row * step; }
};

}  // namespace vernier
