#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/views/case_views.hpp"
#include "props/judging/property_tally.hpp"

namespace vernier {

/// The point to which a row turns a pair: R (cos f', sin f') + e, for some phase f' near the true one.
struct PairTurn {
  double cosine = 0;
  double sine = 0;
  double error = 0;        ///< the most that either component of e may be
  double phase_error = 0;  ///< the most that f' may be off by, in radians
  double radius = 1;       ///< R: the amplitude times the scale of the position
};

/// What properties see of rows of points: the turns of their pairs, as often as a row holds them. A pair has
/// the position that it turns by, which is that of its axis where tokens have several.
struct TurnView {
  /// All turns of a row, in order. Nothing where the row is no turn: a row of padding, a pair of zeros, a
  /// scale beyond all formats.
  using Turns = std::function<std::vector<std::optional<PairTurn>>(std::size_t row)>;

  std::string source;  ///< "cos, sin", "rotated"
  std::size_t rows = 0;
  std::vector<int> axes;  ///< of each turn
  std::size_t distinct_pairs =
      1;  ///< by which rows are thinned: a kind that has pairs twice has no fewer rows
  /// \param axis one of `axes`. Of turns by all axes at once it is one number that stands for the positions
  /// along them: of four rows two differences are equal where those along every axis are.
  std::function<std::int64_t(std::size_t row, int axis)> position;
  /// The position that turns of an axis turn by, as it was given.
  std::function<std::string(std::size_t row, int axis)> position_text;
  Turns query;
  Turns key = nullptr;    ///< null where keys turn like queries
  bool is_table = false;  ///< of sines and cosines; else they are found from what they do to vectors

  std::size_t pairs() const { return axes.size(); }
  const Turns& key_or_query() const { return key ? key : query; }
};

/// Those of all views that hold turns by positions, which outlive them. Queries and keys that turn otherwise
/// are one view.
std::vector<TurnView> turn_views(std::span<const CaseView> views);

/// What stands for the positions of every row along all axes: sum_a (p_a - least_a) B^a. With D the farthest
/// that two rows lie apart along any axis, two such differences are off by 2D at most. So two pairs of rows
/// are equally far apart in these numbers only where they are along every axis, if B > 2D. Nothing where 62
/// bits do not hold them, or there are no rows.
std::optional<std::vector<std::int64_t>> token_numbers(std::span<const std::vector<std::int64_t>> by_axis);

// What judges of turns share.

/// What the sums and products of a residual here may be off by, of the sum of the magnitudes of its terms: a
/// few roundings of binary64, 2^-53 each, the radius with its own among them.
inline constexpr double turn_rounding = 0x1p-49;

/// How many turns a property looks at, so that a tensor of any size takes a moment.
inline constexpr std::size_t most_turns = std::size_t{1} << 18;

/// Where a turn is.
PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row);

/// A row and its position in one axis.
struct PlacedRow {
  std::int64_t position = 0;
  std::size_t row = 0;
  auto operator<=>(const PlacedRow&) const = default;
};
using Placed = std::vector<PlacedRow>;

/// The rows of each axis that any pair turns by, in ascending order of their positions: all, or the first
/// and the last.
std::map<int, Placed> placed_rows(const TurnView& view);

}  // namespace vernier
