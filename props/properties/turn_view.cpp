#include "props/properties/turn_view.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

/// The points that have both their parts.
std::vector<std::size_t> whole_points(const PointLayout& layout) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < layout.points.size(); ++k) {
    if (layout.points[k].real && layout.points[k].imaginary) {
      result.push_back(k);
    }
  }
  return result;
}

/// \param points those that are asked for
TurnView::Turns turns_of(const RowView& view, const std::vector<std::size_t>& points) {
  return [own = std::make_shared<RowView>(view), points](std::size_t row) {
    own->go_to(row);
    const auto all = own->points();
    std::vector<std::optional<PairTurn>> result;
    for (const auto k : points) {
      const auto& point = all[k];
      const bool is_turn = point && !point->is_open && point->length > 0;
      result.push_back(is_turn
                           ? std::optional(PairTurn{point->turn().real(), point->turn().imag(),
                                                    point->turn_error(), point->phase_error, point->radius})
                           : std::nullopt);
    }
    return result;
  };
}

/// Nothing where pairs have no phase that they turn by, or no number stands for their positions.
std::optional<TurnView> view_of(const CaseView& viewed) {
  // Numbers in blocks are rounded by scales of their own.
  if (!viewed.view.has_points() || viewed.view.layout().has_block_scales) {
    return std::nullopt;
  }
  const auto& layout = viewed.view.layout();
  const auto points = whole_points(layout);
  TurnView view{
      .source = roles_of(viewed.view),
      .rows = viewed.view.rows(),
      .axes = {},
      .position =
          [source = viewed.rows.source](std::size_t row, int axis) {
            return source.by_axis.empty() ? source.positions[row]
                                          : source.by_axis[static_cast<std::size_t>(axis)][row];
          },
      .position_text = [&viewed](std::size_t row, int axis) { return viewed.rows.text_along(axis, row); },
      .query = turns_of(viewed.view, points),
      .is_table = layout.is_of_tables};
  std::set<std::pair<int, int>> distinct;
  for (const auto k : points) {
    view.axes.push_back(layout.points[k].axis);
    distinct.emplace(layout.points[k].pair, layout.points[k].axis);
  }
  view.distinct_pairs = distinct.size();
  if (std::ranges::count(view.axes, all_axes) > 0) {
    auto numbers = token_numbers(viewed.rows.source.by_axis);
    if (!numbers) {
      return std::nullopt;
    }
    view.position = [numbers = *std::move(numbers)](std::size_t row, int) { return numbers[row]; };
  }
  return view.axes.empty() ? std::nullopt : std::optional(std::move(view));
}

/// Whether a view is of the keys of the queries of another, at the same positions.
bool are_query_and_key(const CaseView& query, const CaseView& key) {
  return !query.is_of_keys && key.is_of_keys && key.view.has_points() &&
         query.view.layout().is_of_tables == key.view.layout().is_of_tables &&
         query.view.layout().is_of_gradients == key.view.layout().is_of_gradients &&
         std::ranges::equal(query.rows.source.positions, key.rows.source.positions);
}

}  // namespace

std::vector<TurnView> turn_views(std::span<const CaseView> views) {
  std::vector<TurnView> result;
  for (std::size_t i = 0; i < views.size(); ++i) {
    auto view = view_of(views[i]);
    if (!view) {
      continue;
    }
    if (i + 1 < views.size() && are_query_and_key(views[i], views[i + 1])) {
      const auto points = whole_points(views[i + 1].view.layout());
      view->source += ", " + roles_of(views[i + 1].view);
      ++i;
      if (points.size() == view->pairs()) {
        view->key = turns_of(views[i].view, points);
      }
    }
    result.push_back(*std::move(view));
  }
  return result;
}

std::optional<std::vector<std::int64_t>> token_numbers(std::span<const std::vector<std::int64_t>> by_axis) {
  if (by_axis.front().empty()) {
    return std::nullopt;
  }
  constexpr double most = 0x1p62;
  std::vector<std::int64_t> least;
  std::int64_t farthest = 0;
  for (const auto& positions : by_axis) {
    const auto [low, high] = std::ranges::minmax(positions);
    least.push_back(low);
    farthest = std::max(farthest, high - low);
  }
  const auto base = 2 * farthest + 1;
  if (std::pow(static_cast<double>(base), static_cast<double>(by_axis.size())) > most) {
    return std::nullopt;
  }
  std::vector<std::int64_t> result(by_axis.front().size());
  for (std::size_t axis = by_axis.size(); axis-- > 0;) {
    for (std::size_t row = 0; row < result.size(); ++row) {
      result[row] = result[row] * base + (by_axis[axis][row] - least[axis]);
    }
  }
  return result;
}

PropertyTally::Place place_of(const TurnView& view, std::size_t pair, std::size_t row) {
  return {{"tensors", view.source},
          {"row of all copies", std::to_string(row)},
          {"position", view.position_text(row, view.axes[pair])},
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

}  // namespace vernier
