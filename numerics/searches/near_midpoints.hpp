#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reference/numbers/format.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// An element near the middle between two neighbouring numbers of a format, which is hard to round to it.
struct NearMidpoint {
  std::int64_t position = 0;
  int pair = 0;
  Component component = Component::sine;
  double distance = 0;  ///< of the truth from the middle, in units of the gap: from 0 to 1/2, to 2^-46
};

/// The sines and cosines that an encoding has in tables whose rows stand at the integers that positions are
/// given as: a table for each set of frequencies and amplitude, of the pairs that turn, sines first.
std::vector<TrigTable> tables_of_sines(const Encoding& encoding);

/// Of each column of a table the element nearest to the middle between two neighbouring numbers of the
/// format, subnormal ones and zero among them, of all those in a range, in the order of the columns. A column
/// whose elements are all numbers of the format is left out.
///
/// Exhaustive: all elements are rounded correctly to float64, in which the midpoints of narrower formats are
/// numbers, and the distance from one is the true distance to half a unit of the last place. Those that are
/// by this not farther than the nearest are enclosed and compared. Of float64 itself all are enclosed, which
/// takes some ten times as long.
///
/// \param table its columns are sines and cosines  \param range of places, within +-2^31
/// \param advance is told, again and again, how many more rows are done
std::vector<NearMidpoint> near_midpoints(const TrigTable& table, const PositionRange& range, Format format,
                                         unsigned threads = 1,
                                         const std::function<void(std::int64_t rows)>& advance = {});

}  // namespace vernier
