#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/frequencies/amplitude.hpp"
#include "reference/frequencies/frequencies.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/numbers/real.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

/// What one column of a table holds: the sine or cosine of its pair's phase, or nothing (a padding column of
/// zeros).
enum class Component { sine, cosine, zero };

struct Column {
  int pair = 0;
  Component component = Component::zero;
};

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
  bool is_zero(std::int64_t position, std::size_t column) const {
    return columns[column].component == Component::zero || position == zero_position;
  }
  /// The entry as a real number. \param position in [-2^53, 2^53] \param column < columns.size()
  Real entry(std::int64_t position, std::size_t column) const;
  /// amplitude * trig(position * w_pair), whether or not a column holds it.
  /// \param component sine or cosine
  Real value(std::int64_t position, int pair, Component component) const;
};

/// What multiplies the sines and cosines of each pair where that depends on the position, as in xPos: z^((p -
/// c)/B) of queries, the reciprocal of keys.
struct PositionScale {
  std::vector<Rational> ratios;  ///< z, one a pair, > 0
  std::int64_t centre = 0;       ///< c: where nothing is scaled
  Rational base = 1;             ///< B > 0
  bool is_reciprocal = false;

  /// (p - c)/B, or (c - p)/B of the reciprocal
  Rational exponent(std::int64_t position) const {
    return Rational(is_reciprocal ? centre - position : position - centre) / base;
  }
  /// \param position within +-2^31
  Real at(std::int64_t position, int pair) const;
};

/// The axes (time, height, width) along each of which a token has a position.
struct PositionAxes {
  std::size_t count = 0;  ///< S >= 1
  /// The positions, one an axis, of a token that is said to have only one: a token of text, or the patch of
  /// an image by its number. Nothing for a row of zeros. Throws InputError for a position that no token has.
  std::function<std::optional<std::vector<std::int64_t>>(std::int64_t position)> of_position;
  /// Where the places along each axis come from; empty where the table says so for all.
  std::vector<PositionMap> maps = {};
  /// Where there are rows of zeros: the number that is given along every axis for one.
  std::optional<std::int64_t> given_for_zeros = std::nullopt;

  /// What is given along each axis for tokens that are said to have one position each. Throws what
  /// of_position throws.
  std::vector<std::vector<std::int64_t>> of_positions(std::span<const std::int64_t> positions) const;
  /// Which rows are zeros: one a row, or empty where there are none. \param given numbers along each axis,
  /// before they become places, among which any number may stand for a true position
  std::vector<bool> zero_rows(std::span<const std::vector<std::int64_t>> given) const;
};

/// A table of sines and cosines: of one position a row, or of several, one an axis, of which each column
/// takes one; each times the scale of its position and pair, or the scales alone.
/// T[p][c] = s_(p,c) amplitude trig_c(p_a(c) w_pair(c)), p = (p_0, ..., p_(S-1)).
struct TurnedTable {
  /// How rows turn whose tokens have several positions.
  struct Axes {
    std::vector<int> of_columns;  ///< a(c), each in [0, S); or all_axes (mixed_axes.hpp)
    PositionAxes positions;       ///< of the tokens
  };

  TrigTable sines;  ///< its role and columns are the table's; its map is that of the first axis
  std::optional<Axes> axes = std::nullopt;
  std::optional<PositionScale> scale = std::nullopt;  ///< of tables of one position
  bool is_scale_alone = false;                        ///< of `sines` only the pairs of the columns count

  TurnedTable(TrigTable table) : sines(std::move(table)) {}  // NOLINT: a plain table is one
  TurnedTable(TrigTable table, Axes several) : sines(std::move(table)), axes(std::move(several)) {}
  TurnedTable(TrigTable table, PositionScale by, bool alone)
      : sines(std::move(table)), scale(std::move(by)), is_scale_alone(alone) {}

  /// Whether `sines` is all of it.
  bool is_plain() const { return !axes && !scale; }
  /// How many positions a row has.
  std::size_t position_count() const { return axes ? axes->positions.count : 1; }
  /// The axis that a column turns by, 0 where there is one, or all_axes.
  int axis(std::size_t column) const { return axes ? axes->of_columns[column] : 0; }
  /// Where the places along an axis come from.
  const PositionMap& map(std::size_t along) const {
    return !axes || axes->positions.maps.empty() ? sines.positions : axes->positions.maps[along];
  }
  /// The table as if all columns turned by one axis. \param along in [0, S)
  TrigTable of_axis(std::size_t along) const;
  /// The entry of a row that is not zeros, as a real number. \param places one an axis, those of one position
  /// within +-2^53, of scales within +-2^31 \param column < sines.columns.size()
  Real entry(std::span<const std::int64_t> places, std::size_t column) const;
  /// The same for a token that is said to have one position. Throws what the axes throw.
  Real entry(std::int64_t position, std::size_t column) const;
  /// Whether a token that is said to have one position has it along all axes that any column turns by, so
  /// that `sines` say the same. \pre there are axes
  bool turns_by_one_position() const;
};

}  // namespace vernier
