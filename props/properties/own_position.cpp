#include <algorithm>
#include <cmath>

#include "props/judging/property.hpp"
#include "props/properties/bias_view.hpp"
#include "props/properties/turn_view.hpp"

namespace vernier {
namespace {

/// Whether every row has a position of its own: then there is nothing to compare.
bool all_differ(const Placed& rows) {
  return std::ranges::adjacent_find(rows, {}, &PlacedRow::position) == rows.end();
}

void judge_rows_of_one_position(const TurnView& view, PropertyTally& tally) {
  auto by_axis = placed_rows(view);
  std::erase_if(by_axis, [](const auto& axis_and_rows) { return all_differ(axis_and_rows.second); });
  for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
    const auto found = by_axis.find(view.axes[pair]);
    if (found == by_axis.end()) {
      continue;
    }
    const auto& rows = found->second;
    const auto most = std::max<std::size_t>(2, most_turns / view.pairs());
    for (const auto i : spread_indices(rows.size(), most)) {
      const auto first = std::ranges::lower_bound(rows, rows[i].position, {}, &PlacedRow::position)->row;
      if (first == rows[i].row) {
        continue;
      }
      const auto a = view.query(first, pair);
      const auto b = view.query(rows[i].row, pair);
      if (!a || !b) {
        continue;
      }
      const double allowed =
          a->error + b->error + a->radius * (a->phase_error + b->phase_error) + turn_rounding * a->radius;
      const double apart = std::max(std::fabs(a->cosine - b->cosine), std::fabs(a->sine - b->sine));
      tally.must_vanish(apart, allowed, a->radius, [&] { return place_of(view, pair, rows[i].row); });
    }
  }
}

}  // namespace

Property own_position_property() {
  return told({.id = "own-position", .turns = judge_rows_of_one_position});
}

}  // namespace vernier
