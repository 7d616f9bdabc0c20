#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/position_scale.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// A table of sines and cosines each of which is multiplied by the scale of its position and pair, or of the
/// scales alone.
struct ScaledTable {
  TrigTable sines;  ///< its role and columns are the table's
  PositionScale scale;
  bool is_scale_alone = false;  ///< of `sines` only the pairs of the columns count

  /// The entry as a real number. \param position within +-2^31 \param column < sines.columns.size()
  Real entry(std::int64_t position, std::size_t column) const;
};

}  // namespace vernier
