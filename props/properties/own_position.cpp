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
  const auto most = std::max<std::size_t>(2, most_turns / view.distinct_pairs);
  for (const auto& [axis, rows] : by_axis) {
    for (const auto i : spread_indices(rows.size(), most)) {
      const auto row = rows[i].row;
      const auto first = std::ranges::lower_bound(rows, rows[i].position, {}, &PlacedRow::position)->row;
      if (first == row) {
        continue;
      }
      const auto at_first = view.query(first);
      const auto at_row = view.query(row);
      for (std::size_t pair = 0; pair < view.pairs(); ++pair) {
        const auto& a = at_first[pair];
        const auto& b = at_row[pair];
        if (view.axes[pair] != axis || !a || !b) {
          continue;
        }
        const double allowed =
            a->error + b->error + a->radius * (a->phase_error + b->phase_error) + turn_rounding * a->radius;
        const double apart = std::max(std::fabs(a->cosine - b->cosine), std::fabs(a->sine - b->sine));
        tally.must_vanish(apart, allowed, a->radius, [&] { return place_of(view, pair, row); });
      }
    }
  }
}

}  // namespace

std::vector<Property> own_position_properties() {
  return {{.id = "own-position", .turns = judge_rows_of_one_position}};
}

}  // namespace vernier
