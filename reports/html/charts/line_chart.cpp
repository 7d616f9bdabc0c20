#include "reports/html/charts/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/drawn_line.hpp"
#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr double least_plot_height = 330;
constexpr double slim_plot_height = 230;
constexpr double end_label_width = 176;  // of a name at the end of a line, at most
constexpr double to_label = 14;          // from the plot to the names
constexpr double between_labels = 3;
constexpr std::size_t most_label_lines = 3;

void require(const LineChart& chart, bool condition, const char* complaint) {
  if (!condition) {
    throw std::logic_error(fmt::format("line chart '{}': {}", chart.id, complaint));
  }
}

void require_complete(const LineChart& chart) {
  require(chart, !chart.series.empty() && !chart.x_values.empty(), "nothing to draw");
  const auto drawn =
      std::count_if(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.budget; });
  require(chart, static_cast<std::size_t>(drawn) <= max_series, "more series than can be told apart");
  for (const auto& series : chart.series) {
    require(chart, series.values.size() == chart.x_values.size(), "a series has not one value for each x");
  }
  require(chart,
          chart.x.scale == AxisScale::linear ||
              std::all_of(chart.x_values.begin(), chart.x_values.end(), [](double x) { return x > 0; }),
          "x must be positive on a logarithmic axis");
}

// A name or a threshold's label, right of the plot.
struct SideLabel {
  std::vector<std::string> lines;
  WantedPlace wanted;
};

SideLabel side_label(std::vector<std::string> lines, double wanted) {
  const double height = static_cast<double>(lines.size()) * Drawing::line_spacing + between_labels;
  return {std::move(lines), {wanted, height}};
}

std::vector<std::string> wrapped_label(std::string_view text, std::size_t most_lines) {
  return wrapped_text(text, Drawing::letters, end_label_width, most_lines);
}

// Each name on as many lines as it needs; of several names as many as there is room for, of a band's all.
std::vector<std::string> name_lines(const std::vector<std::string>& names, bool all) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto left = names.size() - i;
    if (!all && lines.size() >= most_label_lines && left > 1) {
      lines.push_back(fmt::format("and {} more", left));
      break;
    }
    const auto line = wrapped_label(names[i], most_label_lines);
    lines.insert(lines.end(), line.begin(), line.end());
  }
  return lines;
}

AxisRange y_range(const LineChart& chart) {
  const bool logarithmic = chart.y.scale != AxisScale::linear;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto include = [&](double value) {
    if (std::isfinite(value) && (!logarithmic || value > 0)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  };
  for (const auto& series : chart.series) {
    std::for_each(series.values.begin(), series.values.end(), include);
  }
  for (const auto& threshold : chart.thresholds) {
    include(threshold.value);
  }
  if (low > high) {
    low = logarithmic ? 0.1 : 0;
    high = 1;
  }
  return axis_range(chart.y, low, high, true);
}

AxisRange x_range(const LineChart& chart) {
  const auto [low, high] = std::minmax_element(chart.x_values.begin(), chart.x_values.end());
  return axis_range(chart.x, *low, *high, false);
}

std::vector<SideLabel> side_labels(const LineChart& chart, const std::vector<DrawnLine>& lines,
                                   const Scale& y) {
  std::vector<SideLabel> labels;
  for (const auto& line : lines) {
    const auto end = line.path.end();
    auto names = line.names;
    names.back() += end ? "" : line.absence;
    labels.push_back(side_label(name_lines(names, chart.bands), end ? end->y : line.absent_at));
  }
  for (const auto& threshold : chart.thresholds) {
    labels.push_back(side_label(wrapped_label(threshold.label, most_label_lines), y.place(threshold.value)));
  }
  return labels;
}

double height_of(const std::vector<SideLabel>& labels) {
  double height = 0;
  for (const auto& label : labels) {
    height += label.wanted.height;
  }
  return height;
}

void draw_label(Drawing& drawing, const SideLabel& label, double left, double middle) {
  double at = middle - static_cast<double>(label.lines.size() - 1) * Drawing::line_spacing / 2;
  for (const auto& line : label.lines) {
    drawing.text(left, at, TextAnchor::start, line, "name");
    at += Drawing::line_spacing;
  }
}

// Its marks in the plot. Leaves the line's group open.
void draw_marks_of(Drawing& drawing, const DrawnLine& line, const DrawnBox& plot) {
  constexpr double triangle = 5;
  drawing.open_group(line.css_class, data_attribute("columns", line.columns));
  if (line.band) {
    drawing.path(band_path(line, plot.top, plot.bottom), "mark band");
  } else if (!line.path.text().empty()) {
    drawing.path(line.path.text(), "mark");
  }
  for (const double at : line.zeros) {
    drawing.path(moved_to(at - triangle, plot.bottom) + lined_to(at + triangle, plot.bottom) +
                     lined_to(at, plot.bottom - 2 * triangle) + "Z",
                 "zero");
  }
}

void draw_line(Drawing& drawing, const DrawnLine& line, const DrawnBox& plot, const SideLabel& label,
               double middle) {
  draw_marks_of(drawing, line, plot);
  if (const auto end = line.path.end()) {
    drawing.line(end->x, end->y, plot.right + to_label - 3, middle, "leader");
  }
  draw_label(drawing, label, plot.right + to_label, middle);
  drawing.close_group();
}

Picture draw_lines(const LineChart& chart) {
  const auto x_ends = x_range(chart);
  const auto y_ends = y_range(chart);
  // Which lines are one, and hence how wide the names are, is judged in a plot of the usual size.
  const Scale usual_x(chart.x.scale, x_ends.low, x_ends.high, 0, drawing_width - end_label_width);
  const Scale usual_y(chart.y.scale, y_ends.low, y_ends.high, least_plot_height, 0);
  const auto usual_labels = side_labels(chart, drawn_lines(chart, usual_x, usual_y), usual_y);
  double widest = 0;
  for (const auto& label : usual_labels) {
    for (const auto& line : label.lines) {
      widest = std::max(widest, text_width(line, Drawing::letters));
    }
  }
  const double height = std::max(least_plot_height, std::ceil(height_of(usual_labels)));
  const double top = room_above_plot;
  const DrawnBox plot{room_of_labels(usual_y), top, std::floor(drawing_width - widest - to_label),
                      top + height};
  const Scale x(chart.x.scale, x_ends.low, x_ends.high, plot.left, plot.right);
  const Scale y(chart.y.scale, y_ends.low, y_ends.high, plot.bottom, plot.top);
  const auto lines = drawn_lines(chart, x, y);
  const auto labels = side_labels(chart, lines, y);
  std::vector<WantedPlace> wanted;
  for (const auto& label : labels) {
    wanted.push_back(label.wanted);
  }
  const auto middles = spread_labels(wanted, plot.top - Drawing::line_spacing, plot.bottom + between_labels);

  Drawing drawing;
  draw_axes(drawing, drawing_width, plot, x, chart.x.title, y, chart.y.title, true);
  for (std::size_t i = 0; i < chart.thresholds.size(); ++i) {
    const double at = y.place(chart.thresholds[i].value);
    const auto label = lines.size() + i;
    drawing.open_group("threshold");
    drawing.line(plot.left, at, plot.right, at, "mark");
    drawing.line(plot.right, at, plot.right + to_label - 3, middles[label], "leader");
    draw_label(drawing, labels[label], plot.right + to_label, middles[label]);
    drawing.close_group();
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    draw_line(drawing, lines[i], plot, labels[i], middles[i]);
  }
  return std::move(drawing).finish(drawing_width, plot.bottom + room_below_plot, "picture lines",
                                   caption_id(chart.id),
                                   data_attribute("x", x.in_words()) + data_attribute("y", y.in_words()));
}

// The names below the plot, each beside a sample of its line, instead of at the lines' ends.
Picture draw_slim_lines(const LineChart& chart) {
  constexpr double sample = 22;
  constexpr double to_name = 8;
  const auto x_ends = x_range(chart);
  const auto y_ends = y_range(chart);
  const Scale usual_y(chart.y.scale, y_ends.low, y_ends.high, slim_plot_height, 0);
  const DrawnBox plot{room_of_labels(usual_y), room_above_plot, slim_width - 2,
                      room_above_plot + slim_plot_height};
  const Scale x(chart.x.scale, x_ends.low, x_ends.high, plot.left, plot.right);
  const Scale y(chart.y.scale, y_ends.low, y_ends.high, plot.bottom, plot.top);
  Drawing drawing;
  draw_axes(drawing, slim_width, plot, x, chart.x.title, y, chart.y.title, true);
  double top = plot.bottom + room_below_plot + between_labels;
  const auto name = [&](const std::string& text, std::string_view css_class) {
    const auto lines = wrapped_text(text, Drawing::letters, slim_width - sample - to_name, most_label_lines);
    drawing.line(0, top + Drawing::line_spacing / 2, sample, top + Drawing::line_spacing / 2, css_class);
    draw_label(drawing, {lines, {}}, sample + to_name,
               top + static_cast<double>(lines.size()) * Drawing::line_spacing / 2);
    top += static_cast<double>(lines.size()) * Drawing::line_spacing + between_labels;
  };
  for (const auto& threshold : chart.thresholds) {
    const double at = y.place(threshold.value);
    drawing.open_group("threshold");
    drawing.line(plot.left, at, plot.right, at, "mark");
    name(threshold.label, "sample");
    drawing.close_group();
  }
  for (const auto& line : drawn_lines(chart, x, y)) {
    draw_marks_of(drawing, line, plot);
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      const bool absent = i + 1 == line.names.size() && !line.path.end();
      name(line.names[i] + (absent ? line.absence : ""), "sample");
    }
    drawing.close_group();
  }
  return std::move(drawing).finish(slim_width, top, "picture lines", caption_id(chart.id),
                                   data_attribute("x", x.in_words()) + data_attribute("y", y.in_words()));
}

DataTable table_of(const LineChart& chart) {
  constexpr int x_digits = 6;
  DataTable table{chart.title, {{chart.x.title, true}}, {}};
  for (const auto& series : chart.series) {
    table.columns.push_back({series.label, true});
  }
  for (std::size_t row = 0; row < chart.x_values.size(); ++row) {
    const double x = chart.x_values[row];
    std::vector<std::string> cells{x == std::trunc(x) ? readable_number(x) : number_text(x, x_digits)};
    for (const auto& series : chart.series) {
      cells.push_back(readable_number(series.values[row]));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

bool has_exact_zero(const LineChart& chart) {
  return chart.y.scale != AxisScale::linear &&
         std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
           return std::find(series.values.begin(), series.values.end(), 0.0) != series.values.end();
         });
}

}  // namespace

Figure line_chart(const LineChart& chart) {
  require_complete(chart);
  Figure figure{chart.id, chart.title, chart.caption,         draw_lines(chart), table_of(chart),
                {},       {},          draw_slim_lines(chart)};
  figure.table_summary = "The numbers behind this chart";
  if (has_exact_zero(chart)) {
    figure.caption += " A triangle on the bottom line is an error of exactly zero.";
  }
  return figure;
}

}  // namespace vernier
