#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "props/judging/property_tally.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

struct Case;

/// The point to which a row turns a pair: R (cos f', sin f') + e, for some phase f' near the true one.
struct PairTurn {
  double cosine = 0;
  double sine = 0;
  double error = 0;        ///< the most that either component of e may be
  double phase_error = 0;  ///< the most that f' may be off by, in radians
  double radius = 1;       ///< R: the amplitude times the scale of the position
};

/// What |c^2 + s^2 - R^2| may be at most: with c = C + e, s = S + d, C^2 + S^2 = R^2 for every phase, |e| <=
/// b and |d| <= a:
///   c^2 + s^2 - R^2 = 2 C e + e^2 + 2 S d + d^2, and |C| <= |c| + b, |S| <= |s| + a,
/// so its magnitude is at most 2 |c| b + 3 b^2 + 2 |s| a + 3 a^2. In floating point too it grows with b and
/// with a.
inline double square_allowance(double c, double b, double s, double a) {
  return 2 * std::fabs(c) * b + 3 * b * b + 2 * std::fabs(s) * a + 3 * a * a;
}

/// What properties see of rows of sines and cosines, and of rotated vectors: the turns of their pairs. Each
/// pair has the position that it turns by, which is that of its axis where tokens have several.
struct TurnView {
  using Turns = std::function<std::optional<PairTurn>(std::size_t row, std::size_t pair)>;

  std::string source;  ///< "cos, sin", "rotated"
  std::size_t rows = 0;
  std::vector<int> axes;  ///< of each pair, from 0 on
  /// \param axis one of `axes`
  std::function<std::int64_t(std::size_t row, int axis)> position;
  /// Nothing where the row is no turn: a row of padding, a pair of zeros, a scale beyond all formats.
  Turns query;
  Turns key;              ///< empty where keys turn like queries
  bool is_table = false;  ///< of sines and cosines; else they are found from what they do to vectors
  std::vector<PositionMap> maps{1};  ///< of the positions along each axis
  /// Where pairs turn by the positions along all axes at once, those of a row in words; else null. `position`
  /// is then one number that stands for them: of four rows two differences are equal where those along every
  /// axis are.
  std::function<std::string(std::size_t row)> token = nullptr;

  std::size_t pairs() const { return axes.size(); }
  /// The position that a pair turns by, as it was given.
  std::string position_text(std::size_t row, std::size_t pair) const {
    return token ? token(row) : maps[static_cast<std::size_t>(axes[pair])].text(position(row, axes[pair]));
  }
  const Turns& key_or_query() const { return key ? key : query; }
};

/// The views of all tensors of a case that hold turns: tables of one position, of several, with a scale, and
/// rotated vectors. \param subject outlives them
std::vector<TurnView> turn_views(const Case& subject);

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

/// The square of the circle that a turn lies on, as it is stored.
double square_of(const PairTurn& turn);
/// The most that it may be away from R^2.
double square_error(const PairTurn& turn);

}  // namespace vernier
