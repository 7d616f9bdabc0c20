#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/asking/covering/design_limits.hpp"
#include "numerics/asking/covering/predicate.hpp"

namespace vernier {

/// No question has more rows, heads or batches.
inline constexpr std::size_t most_of_size = std::size_t{1} << 20;

/// Values of a coordinate that an implementation is likely to treat alike.
struct Level {
  enum class Of : std::uint8_t {
    value,        ///< low <= x <= high
    power,        ///< of x, its greatest divisor that is a power of two, as those below; x > 0
    power_beside  ///< of x - 1 or of x + 1
  };
  Coordinate coordinate = Coordinate::rows;
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  Of of = Of::value;
  std::size_t column = 0;  ///< levels of one column are alternatives

  /// Whether greater values meet it as well.
  bool is_open() const { return of == Of::value && high == std::numeric_limits<std::int64_t>::max(); }
  bool holds(std::int64_t x) const;
};

/// All levels of what may be asked, by column, each from small to large; of positions those that some of the
/// pool have.
std::vector<Level> levels_of(const DesignLimits& limits);

/// What a question or a vector has that meets it.
Predicate predicate_of(const Level& level);

}  // namespace vernier
