#include "reports/html/charts/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/key.hpp"
#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr double line_plot_height = 240;

void require_complete(const LineChart& chart) {
  require(chart, !chart.series.empty() && !chart.x_values.empty(), "nothing to draw");
  const auto drawn = std::ranges::count(chart.series, false, &Series::budget);
  require(chart, static_cast<std::size_t>(drawn) <= max_series, "more series than can be told apart");
  for (const auto& series : chart.series) {
    require(chart, series.values.size() == chart.x_values.size(), "a series has not one value for each x");
  }
  require(chart,
          chart.x.scale == AxisScale::linear ||
              std::ranges::all_of(chart.x_values, [](double x) { return x > 0; }),
          "x must be positive on a logarithmic axis");
}

/// A line as it is drawn: one series, or several that look the same or are one band.
struct DrawnLine {
  std::vector<std::string> names;
  std::string css_class;
  std::string columns;  ///< of the table, "1 4"
  LinePath path;
  std::vector<double> zeros;     ///< where triangles stand on the bottom line
  std::vector<double> across;    ///< places in the drawing
  std::vector<double> drawn_at;  ///< heights there, of the first series; NaN where there is none
  std::vector<double> least;     ///< of the heights of all of its series
  std::vector<double> greatest;  ///< likewise
  bool band = false;             ///< its series differ in sight
  std::string absence;           ///< what its name adds where the plot shows nothing of it
  double end = 0;                ///< height of its last point in sight, or of the edge beyond which it lies
};

bool look_the_same(const DrawnLine& a, const DrawnLine& b) {
  constexpr double visible = 0.5;
  return a.zeros == b.zeros &&
         std::equal(a.drawn_at.begin(), a.drawn_at.end(), b.drawn_at.begin(), [](double p, double q) {
           return std::isnan(p) ? std::isnan(q) : std::fabs(p - q) < visible;
         });
}

bool are_one_band(const DrawnLine& a, const DrawnLine& b) {
  constexpr double close = 4;
  double sum = 0;
  double last = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.drawn_at.size(); ++i) {
    if (std::isnan(a.drawn_at[i]) != std::isnan(b.drawn_at[i])) {
      return false;
    }
    if (!std::isnan(a.drawn_at[i])) {
      last = std::fabs(a.drawn_at[i] - b.drawn_at[i]);
      sum += last;
      ++count;
    }
  }
  return a.zeros == b.zeros && count > 0 && last <= close && sum <= close * static_cast<double>(count);
}

void join(DrawnLine& line, const DrawnLine& other) {
  line.names.insert(line.names.end(), other.names.begin(), other.names.end());
  line.columns += " " + other.columns;
  for (std::size_t i = 0; i < line.least.size(); ++i) {
    line.least[i] = std::min(line.least[i], other.least[i]);
    line.greatest[i] = std::max(line.greatest[i], other.greatest[i]);
  }
}

void find_end(DrawnLine& line, const Scale& y) {
  if (const auto& seen = line.path.end()) {
    line.end = seen->y;
    return;
  }
  const auto known =
      std::find_if(line.drawn_at.begin(), line.drawn_at.end(), [](double at) { return !std::isnan(at); });
  const bool above = known != line.drawn_at.end() && *known < y.to();
  line.end = above ? y.to() : y.from();
  line.absence = known == line.drawn_at.end() ? (line.zeros.empty() ? ": no values" : ": zero")
                                              : (above ? ": above" : ": below");
}

DrawnLine drawn_line(const LineChart& chart, const Series& series, const Scale& x, const Scale& y) {
  DrawnLine line{{series.label}, {}, {}, LinePath(y.to(), y.from()), {}, {}, {}, {}, {}, false, {}, 0};
  for (std::size_t i = 0; i < chart.x_values.size(); ++i) {
    const double at = x.place(chart.x_values[i]);
    const bool there = y.has(series.values[i]) && at >= x.from() && at <= x.to();
    const double height = there ? y.place(series.values[i]) : std::numeric_limits<double>::quiet_NaN();
    for (const double place : chart.steps&& i > 0 ? std::vector{line.across.back(), at} : std::vector{at}) {
      line.drawn_at.push_back(height);
      line.across.push_back(place);
      line.path.add(place, height);
    }
    if (chart.y.scale != AxisScale::linear && series.values[i] == 0) {
      line.zeros.push_back(at);
    }
  }
  line.path.finish();
  line.least = line.drawn_at;
  line.greatest = line.drawn_at;
  find_end(line, y);
  return line;
}

/// The lines of a chart, that which ends highest first.
std::vector<DrawnLine> drawn_lines(const LineChart& chart, const Scale& x, const Scale& y) {
  std::vector<DrawnLine> lines;
  std::size_t colour = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const auto& series = chart.series[i];
    auto line = drawn_line(chart, series, x, y);
    line.columns = std::to_string(i + 1);
    line.css_class = series.budget ? "series budget" : fmt::format("series series-{}", ++colour);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const DrawnLine& other) {
      return !series.budget && other.css_class != "series budget" &&
             (look_the_same(line, other) || (chart.bands && are_one_band(other, line)));
    });
    if (same == lines.end()) {
      lines.push_back(std::move(line));
    } else {
      same->band = same->band || !look_the_same(line, *same);
      join(*same, line);
    }
  }
  std::ranges::stable_sort(lines, {}, &DrawnLine::end);
  return lines;
}

/// A band from the least to the greatest height: a closed path for each stretch without a gap, within the
/// plot.
std::string band_path(const DrawnLine& line, double top, double bottom) {
  std::string path;
  const auto place = [&](std::size_t i, double height) {
    return std::pair{line.across[i], std::clamp(height, top, bottom)};
  };
  for (std::size_t first = 0; first < line.least.size(); ++first) {
    if (std::isnan(line.least[first])) {
      continue;
    }
    std::size_t end = first;
    for (; end < line.least.size() && !std::isnan(line.least[end]); ++end) {
      const auto [x, y] = place(end, line.least[end]);
      path += end == first ? moved_to(x, y) : lined_to(x, y);
    }
    for (std::size_t i = end; i-- > first;) {
      const auto [x, y] = place(i, line.greatest[i]);
      path += lined_to(x, y);
    }
    path += "Z";
    first = end;
  }
  return path;
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
    std::ranges::for_each(series.values, include);
  }
  std::ranges::for_each(chart.thresholds, include, &Threshold::value);
  if (low > high) {
    low = logarithmic ? 0.1 : 0;
    high = 1;
  }
  return axis_range(chart.y, low, high, true);
}

AxisRange x_range(const LineChart& chart) {
  const auto [low, high] = std::ranges::minmax(chart.x_values);
  return axis_range(chart.x, low, high, false);
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

std::string draw_lines(const LineChart& chart) {
  constexpr double sample_width = 22;
  constexpr double to_name = 8;
  const auto x_ends = x_range(chart);
  const auto y_ends = y_range(chart);
  constexpr double top = room_above_plot;
  constexpr double bottom = top + line_plot_height;
  const Scale y(chart.y.scale, y_ends.low, y_ends.high, bottom, top);
  const DrawnBox plot{room_of_labels(y), top, drawing_width - 2, bottom};
  const Scale x(chart.x.scale, x_ends.low, x_ends.high, plot.left, plot.right);
  Drawing drawing;
  draw_axes(drawing, plot, x, chart.x.title, y, chart.y.title, true);
  ChartKey key(plot.bottom + room_below_plot, sample_width + to_name);
  const auto draw_name = [&](std::string_view name) {
    const auto sample = key.add(drawing, name);
    drawing.line(sample.x, sample.y, sample.x + sample_width, sample.y, "sample");
  };
  for (const auto& threshold : chart.thresholds) {
    const double at = y.place(threshold.value);
    drawing.open_group("threshold");
    drawing.line(plot.left, at, plot.right, at, "mark");
    draw_name(threshold.label);
    drawing.close_group();
  }
  for (const auto& line : drawn_lines(chart, x, y)) {
    draw_marks_of(drawing, line, plot);
    for (const auto& name : line.names) {
      draw_name(&name == &line.names.back() ? name + line.absence : name);
    }
    drawing.close_group();
  }
  return drawing.finish(drawing_width, key.bottom(), "picture lines", caption_id(chart.id),
                        scale_attributes(x, y));
}

DataTable table_of(const LineChart& chart) {
  constexpr int x_digits = 6;
  DataTable table{chart.title, {{chart.x.title, true}}, {}};
  for (const auto& series : chart.series) {
    table.columns.push_back({series.label, true});
  }
  for (std::size_t row = 0; row < chart.x_values.size(); ++row) {
    const double x = chart.x_values[row];
    auto& cells = table.rows.emplace_back();
    cells.push_back(x == std::trunc(x) ? readable_number(x) : number_text(x, x_digits));
    for (const auto& series : chart.series) {
      cells.push_back(readable_number(series.values[row]));
    }
  }
  return table;
}

bool has_exact_zero(const LineChart& chart) {
  return chart.y.scale != AxisScale::linear && std::ranges::any_of(chart.series, [](const Series& series) {
           return std::ranges::count(series.values, 0.0) > 0;
         });
}

}  // namespace

Figure line_chart(const LineChart& chart) {
  require_complete(chart);
  Figure figure{chart, draw_lines(chart), table_of(chart)};
  if (has_exact_zero(chart)) {
    figure.caption += " A triangle on the bottom line is an error of exactly zero.";
  }
  return figure;
}

}  // namespace vernier
