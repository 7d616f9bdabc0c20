#pragma once

#include <string>
#include <vector>

#include "reports/html/chart.hpp"

namespace vernier {

/// How an axis is divided.
enum class AxisScale { linear, logarithmic };

/// An axis: what it shows, with its unit, and how it is divided.
struct ChartAxis {
  std::string title;
  AxisScale scale = AxisScale::linear;
};

/// The values of one line, one for each position on the x axis; NaN where there is none.
struct Series {
  std::string label;
  std::vector<double> values;
  bool budget = false;  ///< drawn as the limit the others must stay below
};

/// Lines over a common x axis.
struct LineChart {
  std::string id;
  std::string title;
  std::string caption;
  ChartAxis x;
  ChartAxis y;
  std::vector<double> x_values;
  std::vector<Series> series;
};

/// The chart as a figure with its key and the table of all values (four significant digits). On a logarithmic
/// y axis, which spans whole decades, an exact zero is a triangle on the bottom line and interrupts its line.
/// Throws std::logic_error for series that do not fit x_values, for more than max_series of them, for none,
/// and for x <= 0 on a logarithmic x axis.
Figure line_chart(const LineChart& chart);

}  // namespace vernier
