#include "reports/html/charts/scatter_chart.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/key.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr double plot_height = 280;
constexpr double key_mark_room = 12;
constexpr double inset = 9;  // from the plot's edges to the outermost points

// The points of one group at one place.
struct Mark {
  double x;
  double y;
  std::size_t group;
  std::vector<std::size_t> rows;
};

std::vector<Mark> marks_of(const ScatterChart& chart) {
  std::vector<Mark> marks;
  for (std::size_t row = 0; row < chart.points.size(); ++row) {
    const auto& point = chart.points[row];
    const auto same = std::find_if(marks.begin(), marks.end(), [&](const Mark& mark) {
      return mark.x == point.x && mark.y == point.y && mark.group == point.group;
    });
    if (same == marks.end()) {
      marks.push_back({point.x, point.y, point.group, {row}});
    } else {
      same->rows.push_back(row);
    }
  }
  // Great marks first: a small one stays in sight.
  std::ranges::stable_sort(marks, std::greater(), [](const Mark& mark) { return mark.rows.size(); });
  return marks;
}

Scale scale_of(const ChartAxis& axis, const std::vector<ScatterPoint>& points,
               double ScatterPoint::*coordinate, double from, double to) {
  const auto [low, high] = std::ranges::minmax(points, {}, coordinate);
  const auto range = axis_range(axis, low.*coordinate, high.*coordinate, true);
  return Scale(axis.scale, range.low, range.high, from, to);
}

// The radius of a mark of one point: where many coincide, small enough that the greatest mark is no blot.
double single_radius(const std::vector<Mark>& marks) {
  constexpr double greatest = 9;
  return std::clamp(greatest / std::sqrt(static_cast<double>(marks.front().rows.size())), 2.0, 3.0);
}

// The line on which x equals y, named in the key.
void draw_diagonal(Drawing& drawing, ChartKey& key, const std::string& name, const Scale& x, const Scale& y) {
  const double low = std::max(x.low(), y.low());
  const double high = std::min(x.high(), y.high());
  if (low < high) {
    drawing.open_group("diagonal");
    drawing.line(x.place(low), y.place(low), x.place(high), y.place(high), "rule");
    const auto sample = key.add(drawing, name);
    drawing.line(sample.x, sample.y, sample.x + key_mark_room, sample.y, "sample");
    drawing.close_group();
  }
}

// The groups' names with their marks.
void draw_groups(Drawing& drawing, ChartKey& key, const std::vector<ScatterGroup>& groups) {
  constexpr double radius = 5;
  drawing.open_group("key");
  for (const auto& group : groups) {
    const auto sample = key.add(drawing, group.label);
    drawing.path(mark_path(group.tone, sample.x + radius + 1, sample.y, radius), tone_class(group.tone));
  }
  drawing.close_group();
}

std::string draw_points(const ScatterChart& chart) {
  Drawing drawing;
  const double top = room_above_plot;
  const double bottom = top + plot_height;
  const auto y = scale_of(chart.y, chart.points, &ScatterPoint::y, bottom - inset, top + inset);
  const DrawnBox plot{room_of_labels(y), top, drawing_width - 2, bottom};
  const auto x = scale_of(chart.x, chart.points, &ScatterPoint::x, plot.left + inset, plot.right - inset);
  draw_axes(drawing, plot, x, chart.x.title, y, chart.y.title, true);
  ChartKey key(bottom + room_below_plot, key_mark_room + Drawing::letters / 3);
  if (chart.diagonal) {
    draw_diagonal(drawing, key, chart.diagonal_label, x, y);
  }
  const auto marks = marks_of(chart);
  const double single = single_radius(marks);
  for (const auto& mark : marks) {
    if (mark.x < x.low() || mark.x > x.high() || mark.y < y.low() || mark.y > y.high()) {
      continue;  // beyond the ends that the chart gives its axes
    }
    const auto tone = chart.groups[mark.group].tone;
    const double radius = single * std::sqrt(static_cast<double>(mark.rows.size()));
    drawing.path(mark_path(tone, x.place(mark.x), y.place(mark.y), radius), "mark " + tone_class(tone),
                 data_attribute("rows", fmt::format("{}", fmt::join(mark.rows, " "))));
  }
  draw_groups(drawing, key, chart.groups);
  return drawing.finish(drawing_width, key.bottom(), "picture points", caption_id(chart.id),
                        scale_attributes(x, y));
}

DataTable table_of(const ScatterChart& chart) {
  const bool details = !std::ranges::all_of(chart.points, &std::string::empty, &ScatterPoint::detail);
  DataTable table{
      chart.title, {{chart.point_title}, {chart.x.title, true}, {chart.y.title, true}, {"Result"}}, {}};
  if (details) {
    table.columns.push_back({"Detail"});
  }
  for (const auto& point : chart.points) {
    table.rows.push_back(
        {point.label, readable_number(point.x), readable_number(point.y), chart.groups[point.group].label});
    if (details) {
      table.rows.back().push_back(point.detail);
    }
  }
  return table;
}

}  // namespace

Figure scatter_chart(const ScatterChart& chart) {
  require(chart, !chart.points.empty(), "nothing to draw");
  const auto placed = [](const ChartAxis& axis, double value) {
    return std::isfinite(value) && (axis.scale == AxisScale::linear || value > 0);
  };
  Figure figure{chart, {}, {}, {}};
  for (const auto& point : chart.points) {
    require(chart, point.group < chart.groups.size(), "a point is of a group that is not there");
    require(chart, placed(chart.x, point.x) && placed(chart.y, point.y), "an axis has no place for a point");
    figure.links.push_back(point.href);
  }
  figure.picture = draw_points(chart);
  figure.table = table_of(chart);
  return figure;
}

}  // namespace vernier
