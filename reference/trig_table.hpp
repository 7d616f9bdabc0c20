#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/amplitude.hpp"
#include "reference/frequencies.hpp"
#include "reference/position_map.hpp"
#include "reference/real.hpp"

namespace vernier {

/// What one column of a table holds: the sine or cosine of its pair's phase, or nothing (a padding column of
/// zeros).
enum class Component { sine, cosine, zero };

struct Column {
  int pair = 0;
  Component component = Component::zero;
};

/// Integer positions may be as large as this in magnitude, everywhere.
inline constexpr std::int64_t largest_position = std::int64_t{1} << 31;

/// A table of the real numbers T[p][c] = amplitude * trig_c(p * w_pair(c)), for any integer p: a position, or
/// the place of one that is real (position_map.hpp). Where nothing is said of places they are meant too.
struct TrigTable {
  std::string role;  ///< the tensor's name in a case: "encoding", "cos", "sin"
  Frequencies frequencies;
  Amplitude amplitude = 1;
  std::vector<Column> columns;
  std::optional<std::int64_t> zero_position;  ///< the row of this position is zero (padding)
  PositionMap positions = {};                 ///< where the places come from

  /// Whether this entry is zero by definition rather than by the value of a sine.
  bool is_zero(std::int64_t position, std::size_t column) const;
  /// The entry as a real number. \param position in [-2^53, 2^53] \param column < columns.size()
  Real entry(std::int64_t position, std::size_t column) const;
  /// amplitude * trig(position * w_pair), whether or not a column holds it.
  /// \param component sine or cosine
  Real value(std::int64_t position, int pair, Component component) const;
};

}  // namespace vernier
