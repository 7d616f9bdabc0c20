#include "numerics/asking/covering/coordinates.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {
namespace {

using enum Coordinate;
using Kind = CoordinateKind;

constexpr std::array<CoordinateTraits, coordinate_count> coordinate_table{{
    {rows, Kind::size, "rows"},
    {heads, Kind::size, "heads"},
    {batches, Kind::size, "batches"},
    {rank, Kind::kind, "rank"},
    {order, Kind::kind, "order"},
    {own_positions, Kind::kind, "own_positions"},
    {type, Kind::kind, "type"},
    {apart, Kind::kind, "apart"},
    {not_finite, Kind::kind, "not_finite"},
    {first, Kind::history, "first"},
    {longer_before, Kind::history, "longer_before"},
    {longest_so_far, Kind::history, "longest_so_far"},
    {farther_before, Kind::history, "farther_before"},
    {farthest_so_far, Kind::history, "farthest_so_far"},
    {same_rows, Kind::history, "same_rows"},
    {same_ends, Kind::history, "same_ends"},
    {same_positions, Kind::history, "same_positions"},
    {other_type_before, Kind::history, "other_type_before"},
    {other_type_first, Kind::history, "other_type_first"},
    {other_heads_before, Kind::history, "other_heads_before"},
    {not_finite_before, Kind::history, "not_finite_before"},
    {refused_before, Kind::history, "refused_before"},
    {row, Kind::element, "row"},
    {from_end, Kind::element, "from_end"},
    {head, Kind::element, "head"},
    {head_from_end, Kind::element, "head_from_end"},
    {batch, Kind::element, "batch"},
    {batch_from_end, Kind::element, "batch_from_end"},
    {index, Kind::element, "index"},
    {position, Kind::element, "position"},
    {pair, Kind::element, "pair"},
}};

template <class Number>
std::int64_t signed_of(Number value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

const CoordinateTraits& traits(Coordinate coordinate) {
  return coordinate_table[static_cast<std::size_t>(coordinate)];
}

std::span<const CoordinateTraits> all_coordinates() {
  return coordinate_table;
}

Order order_of(std::span<const std::int64_t> positions, std::int64_t start) {
  assert(!positions.empty());
  // Of neighbours: how many steps of 1, of -1, of 0, further up, further down there are.
  std::size_t next = 0, previous = 0, same = 0, up = 0;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    const auto step = positions[i] - positions[i - 1];
    (step == 1 ? next : step == -1 ? previous : step == 0 ? same : up) += step >= -1 ? 1 : 0;
  }
  const auto steps = positions.size() - 1;
  if (next == steps) {
    return positions.front() == start ? Order::from_start : Order::block;
  }
  if (previous == steps) {
    return Order::descending;
  }
  if (same == steps) {
    return Order::constant;
  }
  if (previous == 0 && next + same + up == steps) {
    return same > 0 ? Order::repeated : Order::gaps;
  }
  // Runs of neighbours: most steps are to the next position.
  return same == 0 && up == 0 && 2 * next >= steps ? Order::packed : Order::shuffled;
}

Shape QuestionPoint::leading() const {
  switch (rank) {
    case 0:
      return {};
    case 1:
      return {heads};
    case 2:
      return {batches, heads};
    default:
      return {batches, heads / heads_of_group(), heads_of_group()};
  }
}

Coordinates AskedBefore::coordinates_of(const QuestionPoint& question) const {
  Coordinates values;
  values[rows] = signed_of(question.rows);
  values[heads] = signed_of(question.heads);
  values[batches] = signed_of(question.batches);
  values[rank] = signed_of(question.rank);
  values[order] = signed_of(order_of(std::span(question.positions).first(question.rows), start_));
  values[own_positions] = question.own_positions ? 1 : 0;
  values[type] = signed_of(question.type);
  values[apart] = question.apart ? 1 : 0;
  values[not_finite] = signed_of(question.not_finite);
  values[first] = questions_ == 0 ? 1 : 0;
  if (questions_ == 0) {
    return values;
  }
  const bool has_same_rows = last_.rows == question.rows;
  values[longer_before] = most_rows_ > question.rows ? 1 : 0;
  values[longest_so_far] = most_rows_ < question.rows ? 1 : 0;
  const auto greatest = std::ranges::max(question.positions);
  values[farther_before] = greatest_position_ > greatest ? 1 : 0;
  values[farthest_so_far] = greatest_position_ < greatest ? 1 : 0;
  values[same_rows] = has_same_rows ? 1 : 0;
  values[same_ends] = has_same_rows && last_.positions.front() == question.positions.front() &&
                              last_.positions.back() == question.positions.back()
                          ? 1
                          : 0;
  values[same_positions] = has_same_rows && last_.positions == question.positions ? 1 : 0;
  values[other_type_before] = types_.size() > types_.count(question.type) ? 1 : 0;
  values[other_type_first] = first_type_ != question.type ? 1 : 0;
  values[other_heads_before] = heads_.size() > heads_.count({question.heads, question.batches}) ? 1 : 0;
  values[not_finite_before] = had_not_finite_ ? 1 : 0;
  values[refused_before] = had_refusal_ ? 1 : 0;
  return values;
}

void AskedBefore::add(const QuestionPoint& question, bool was_refused) {
  const auto greatest = std::ranges::max(question.positions);
  greatest_position_ = questions_ == 0 ? greatest : std::max(greatest_position_, greatest);
  if (questions_++ == 0) {
    first_type_ = question.type;
  }
  most_rows_ = std::max(most_rows_, question.rows);
  types_.insert(question.type);
  heads_.emplace(question.heads, question.batches);
  had_not_finite_ = had_not_finite_ || question.not_finite != NotFinite::none;
  had_refusal_ = had_refusal_ || was_refused;
  last_ = question;
}

Coordinates with_vector(const Coordinates& values, const QuestionPoint& question, std::size_t at) {
  assert(at < question.count());
  auto result = values;
  const auto of_row = at % question.rows;
  const auto sequence = at / question.rows;
  const auto of_batch = sequence / question.heads;
  result[row] = signed_of(of_row);
  result[from_end] = signed_of(question.rows - 1 - of_row);
  result[head] = signed_of(sequence % question.heads);
  const auto of_group = question.heads_of_group();
  result[head_from_end] = signed_of(of_group - 1 - sequence % of_group);
  result[batch] = signed_of(of_batch);
  result[batch_from_end] = signed_of(question.batches - 1 - of_batch);
  result[index] = signed_of(at);
  result[position] = question.position(of_batch, of_row);
  return result;
}

}  // namespace vernier
