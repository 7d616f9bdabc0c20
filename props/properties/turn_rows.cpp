#include "props/properties/turn_rows.hpp"

#include <algorithm>

namespace vernier {

PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row) {
  return {{"tensors", view.source},
          {"row of all copies", std::to_string(row)},
          {"position", view.position_text(row, pair)},
          {"pair", std::to_string(pair)}};
}

std::map<int, Placed> placed_rows(const TurnView& view) {
  constexpr std::size_t most_rows = std::size_t{1} << 19;
  std::map<int, Placed> result;
  for (const int axis : view.axes) {
    if (result.contains(axis)) {
      continue;
    }
    auto& rows = result[axis];
    const auto count = std::min(view.rows, most_rows);
    rows.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = i < most_rows / 2 || view.rows <= most_rows ? i : view.rows - most_rows + i;
      rows.push_back({view.position(row, axis), row});
    }
    if (!std::ranges::is_sorted(rows)) {
      std::ranges::sort(rows);
    }
  }
  return result;
}

double square_of(const PairTurn& turn) {
  return turn.cosine * turn.cosine + turn.sine * turn.sine;
}

double square_error(const PairTurn& turn) {
  return square_allowance(turn.cosine, turn.error, turn.sine, turn.error);
}

}  // namespace vernier
