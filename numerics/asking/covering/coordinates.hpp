#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// What a question to an implementation, and a vector of its answer, is told by. A new one is a line here,
/// one in coordinate_traits(), and where its value is found.
enum class Coordinate : std::uint8_t {
  // Sizes of a question.
  rows,
  heads,
  batches,
  // Kinds of a question.
  rank,           ///< dimensions in front of the rows
  order,          ///< an Order
  own_positions,  ///< 1 where every batch has positions of its own
  type,           ///< an ElementType
  apart,          ///< 1 where other elements lie between the rows
  not_finite,     ///< a NotFinite
  // What was asked before in the same process: 1 or 0.
  first,               ///< nothing
  longer_before,       ///< a question of more rows
  longest_so_far,      ///< questions of fewer rows only, and at least one
  farther_before,      ///< a question with a greater position
  farthest_so_far,     ///< no question with as great a position, and at least one
  same_rows,           ///< the last question had as many rows
  same_ends,           ///< and the same first and last position
  same_positions,      ///< the last question had the same positions
  other_type_before,   ///< a question in another type
  other_type_first,    ///< the very first question was in another type
  other_heads_before,  ///< a question with another number of heads or batches
  not_finite_before,   ///< a question with a number that is not finite
  refused_before,      ///< a question that was refused
  // Of a vector, or row of a table, in the answer.
  row,
  from_end,  ///< rows that follow in its sequence
  head,
  head_from_end,  ///< heads that follow in its batch, at rank 3 in its group
  batch,
  batch_from_end,
  index,  ///< (batch x heads + head) x rows + row
  position,
  pair  ///< of the rotation
};
inline constexpr std::size_t coordinate_count = static_cast<std::size_t>(Coordinate::pair) + 1;

/// What kind of a coordinate it is: what may be said of it.
enum class CoordinateKind : std::uint8_t { size, kind, history, element };

struct CoordinateTraits {
  Coordinate coordinate;
  CoordinateKind kind;
  std::string_view name;  ///< "same_rows"
};
const CoordinateTraits& traits(Coordinate coordinate);
std::span<const CoordinateTraits> all_coordinates();

/// The value of every coordinate.
class Coordinates {
 public:
  std::int64_t& operator[](Coordinate coordinate) { return values_[static_cast<std::size_t>(coordinate)]; }
  std::int64_t operator[](Coordinate coordinate) const {
    return values_[static_cast<std::size_t>(coordinate)];
  }

 private:
  std::array<std::int64_t, coordinate_count> values_{};
};

/// How the positions of a question follow one another.
enum class Order : std::uint8_t {
  from_start,  ///< s, s + 1, ... from the first position of the encoding
  block,       ///< k, k + 1, ...
  descending,  ///< k, k - 1, ...
  constant,    ///< k, k, ...
  repeated,    ///< ascending, some of them several times
  packed,      ///< runs k, k + 1, ... that start anew
  gaps,        ///< ascending, with gaps
  shuffled     ///< anything else
};
inline constexpr std::size_t order_count = static_cast<std::size_t>(Order::shuffled) + 1;

/// The first of these that the positions are; a single one is `from_start` or `block`. \pre not empty
Order order_of(std::span<const std::int64_t> positions, std::int64_t start);

/// What numbers that are not finite the vectors of a question hold.
enum class NotFinite : std::uint8_t { none, nan_in_pair, infinity_in_pair, nan_in_passing };

/// A question, as the choice of its coordinates.
struct QuestionPoint {
  std::size_t rows = 1;
  std::size_t heads = 1;    ///< 1 at rank 0
  std::size_t batches = 1;  ///< 1 below rank 2
  std::size_t rank = 0;     ///< 0: [T], 1: [H, T], 2: [B, H, T], 3: [B, groups, H / groups, T]
  bool own_positions = false;
  ElementType type = ElementType::float32;
  bool apart = false;
  NotFinite not_finite = NotFinite::none;
  bool afresh = false;                       ///< whether it begins a process
  std::vector<std::int64_t> positions = {};  ///< one a row; of `own_positions` one batch's after another's
  std::uint64_t vectors = 0;                 ///< decides which vectors it has

  std::size_t count() const { return rows * heads * batches; }
  /// How many heads lie side by side: all of a batch, at rank 3 those of a group.
  std::size_t heads_of_group() const { return rank < 3 ? heads : heads % 2 == 0 ? 2 : 1; }
  std::int64_t position(std::size_t batch, std::size_t row) const {
    return positions[own_positions ? batch * rows + row : row];
  }
  Shape leading() const;
};

/// What a process was asked before.
class AskedBefore {
 public:
  /// \param start the first position of the encoding
  explicit AskedBefore(std::int64_t start) : start_(start) {}

  /// The coordinates of a question that is asked next; those of elements are 0.
  Coordinates coordinates_of(const QuestionPoint& question) const;
  void add(const QuestionPoint& question, bool was_refused = false);
  void clear() { *this = AskedBefore(start_); }
  std::size_t questions() const { return questions_; }
  bool had_refusal() const { return had_refusal_; }
  std::size_t most_rows() const { return most_rows_; }
  std::int64_t greatest_position() const { return greatest_position_; }
  /// The last question, if there was one.
  const QuestionPoint& last() const { return last_; }

 private:
  std::int64_t start_;
  std::size_t questions_ = 0;
  std::size_t most_rows_ = 0;
  std::int64_t greatest_position_ = 0;
  ElementType first_type_ = ElementType::float32;
  std::set<ElementType> types_;
  std::set<std::pair<std::size_t, std::size_t>> heads_;
  bool had_not_finite_ = false;
  bool had_refusal_ = false;
  QuestionPoint last_;
};

/// The same with the coordinates of a vector, counted as in the answer; its pair is left as it is.
/// \pre index < question.count()
Coordinates with_vector(const Coordinates& values, const QuestionPoint& question, std::size_t index);

}  // namespace vernier
