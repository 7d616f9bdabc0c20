#include "numerics/decoding/pair_signal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// Keeps a quarter as a dense run, a quarter logarithmically spread, and half evenly spread.
std::vector<std::size_t> thinned(std::span<const std::int64_t> positions,
                                 const std::vector<std::size_t>& rows, std::size_t most) {
  std::vector<std::size_t> places;  // into rows
  const std::size_t quarter = most / 4;
  for (std::size_t i = 0; i < quarter; ++i) {
    places.push_back(i);
  }
  const auto least = positions[rows.front()];
  const auto span = static_cast<double>(positions[rows.back()] - least);
  for (std::size_t i = 0; i < quarter; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(quarter);
    const auto wanted = least + static_cast<std::int64_t>(std::pow(span, share));
    const auto found =
        std::ranges::lower_bound(rows, wanted, {}, [&](std::size_t row) { return positions[row]; });
    places.push_back(static_cast<std::size_t>(std::min(found, rows.end() - 1) - rows.begin()));
  }
  for (const auto place : spread_rows(rows.size(), 2 * quarter)) {
    places.push_back(place);
  }
  places.push_back(rows.size() - 1);
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return mapped(places, [&](auto place) { return rows[place]; });
}

/// Unless it is not finite, or in the row that is zero by definition.
void add_point(const RowView& view, std::int64_t position, const PointLayout::Place& place,
               PairSignal& signal) {
  const auto number = [&](const PointLayout::PartColumn& stored) {
    const bool is_zero = view.parts()[stored.part].sines->is_zero(position, stored.column);
    return is_zero ? INFINITY : view.got(stored.part, stored.column);
  };
  const std::complex<double> point(number(*place.real), number(*place.imaginary));
  if (std::isfinite(point.real()) && std::isfinite(point.imag())) {
    signal.positions.push_back(position);
    signal.points.push_back(point);
  }
}

}  // namespace

std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> result;
  if (rows <= most) {
    result.resize(rows);
    std::iota(result.begin(), result.end(), std::size_t{0});
    return result;
  }
  constexpr double golden = std::numbers::phi - 1;
  const double stride = static_cast<double>(rows) / static_cast<double>(most);
  for (std::size_t i = 0; i < most; ++i) {
    const double turns = static_cast<double>(i) * golden;
    result.push_back(
        static_cast<std::size_t>((static_cast<double>(i) + (turns - std::floor(turns))) * stride));
  }
  return result;
}

std::vector<std::size_t> rows_to_measure(std::span<const std::int64_t> positions, std::size_t most) {
  assert(most >= 8);
  std::vector<std::size_t> rows(positions.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto position = [&](std::size_t row) { return positions[row]; };
  if (!std::ranges::is_sorted(positions)) {
    std::ranges::stable_sort(rows, {}, position);
  }
  const auto repeated = std::ranges::unique(rows, {}, position);
  rows.erase(repeated.begin(), repeated.end());
  return rows.size() <= most ? rows : thinned(positions, rows, most);
}

std::vector<std::optional<PointLayout::Place>> first_points(const RowView& tables) {
  std::vector<std::optional<PointLayout::Place>> result(
      static_cast<std::size_t>(tables.parts().front().sines->frequencies.pairs()));
  for (const auto& point : tables.layout().points) {
    auto& first = result[static_cast<std::size_t>(point.pair)];
    first = first || !point.real || !point.imaginary ? first : point;
  }
  return result;
}

std::vector<std::optional<PairSignal>> pair_signals(const RowView& tables,
                                                    std::span<const std::int64_t> positions,
                                                    std::span<const std::size_t> rows) {
  const auto points = first_points(tables);
  std::vector<std::optional<PairSignal>> result(points.size());
  for (std::size_t pair = 0; pair < points.size(); ++pair) {
    if (points[pair]) {
      result[pair].emplace();
      result[pair]->positions.reserve(rows.size());
      result[pair]->points.reserve(rows.size());
    }
  }
  RowView view(tables);
  for (const auto row : rows) {
    view.go_to(row);
    for (std::size_t pair = 0; pair < points.size(); ++pair) {
      if (result[pair]) {
        add_point(view, positions[row], *points[pair], *result[pair]);
      }
    }
  }
  return result;
}

}  // namespace vernier
