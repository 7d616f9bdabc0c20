#include "reports/html/charts/scatter_chart.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr double plot_height = 400;
constexpr std::size_t most_key_lines = 3;
constexpr double inset = 14;  // from the plot's edges to the outermost points

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
  constexpr double greatest = 16;
  return std::clamp(greatest / std::sqrt(static_cast<double>(marks.front().rows.size())), 3.0, 4.5);
}

// The groups' names with their marks, in rows. Returns the height below them.
double draw_key(Drawing& drawing, double room, const std::vector<ScatterGroup>& groups) {
  constexpr double radius = 5;
  constexpr double mark_room = 16;
  constexpr double between = 24;
  double left = 0;
  double middle = Drawing::line_spacing / 2;
  drawing.open_group("key");
  for (const auto& group : groups) {
    const auto text = wrapped_text(group.label, Drawing::letters, room - mark_room, most_key_lines);
    if (text.empty()) {
      continue;
    }
    const double width = mark_room + text_width(text.front(), Drawing::letters);
    if (left > 0 && left + width > room) {
      left = 0;
      middle += Drawing::line_spacing + 3;
    }
    drawing.path(mark_path(group.tone, left + radius + 1, middle, radius), tone_class(group.tone));
    drawing.text(left + mark_room, middle, TextAnchor::start, text.front());
    for (std::size_t line = 1; line < text.size(); ++line) {
      middle += Drawing::line_spacing;
      drawing.text(left + mark_room, middle, TextAnchor::start, text[line]);
    }
    left += width + between;
  }
  drawing.close_group();
  return middle + Drawing::line_spacing;
}

void draw_diagonal(Drawing& drawing, const ScatterChart& chart, const Scale& x, const Scale& y) {
  const double low = std::max(x.low(), y.low());
  const double high = std::min(x.high(), y.high());
  if (!(low < high)) {
    return;
  }
  constexpr double aside = 10;
  drawing.open_group("diagonal");
  drawing.line(x.place(low), y.place(low), x.place(high), y.place(high), "rule");
  drawing.text(x.place(high) - aside, y.place(high) + Drawing::line_spacing / 2, TextAnchor::end,
               chart.diagonal_label, "name");
  drawing.close_group();
}

std::string draw_points(const ScatterChart& chart, double width) {
  Drawing drawing;
  const double top = draw_key(drawing, width, chart.groups) + room_above_plot;
  const double bottom = top + std::min(plot_height, width);
  const auto y = scale_of(chart.y, chart.points, &ScatterPoint::y, bottom - inset, top + inset);
  const DrawnBox plot{room_of_labels(y), top, width - 2, bottom};
  const auto x = scale_of(chart.x, chart.points, &ScatterPoint::x, plot.left + inset, plot.right - inset);
  draw_axes(drawing, width, plot, x, chart.x.title, y, chart.y.title, true);
  if (chart.diagonal) {
    draw_diagonal(drawing, chart, x, y);
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
  return drawing.finish(width, bottom + room_below_plot, "picture points", caption_id(chart.id),
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
  figure.picture = draw_points(chart, drawing_width);
  figure.slim = draw_points(chart, slim_width);
  figure.table = table_of(chart);
  return figure;
}

}  // namespace vernier
