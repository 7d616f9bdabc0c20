#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {

/// Number of lines that can be told apart in one chart.
constexpr std::size_t max_series = 8;

/// The values of one line, one for each position on the x axis; NaN where there is none.
struct Series {
  std::string label;
  std::vector<double> values;
  bool budget = false;  ///< drawn as the limit the others must stay below
};

/// A horizontal rule at a value that errors are compared with.
struct Threshold {
  double value;
  std::string label;  ///< "2⁻⁸, a step of bfloat16"
};

/// Lines over a common x axis.
struct LineChart : ChartText {
  ChartAxis x;
  ChartAxis y;
  std::vector<double> x_values;  ///< ascending
  std::vector<Series> series;
  std::vector<Threshold> thresholds = {};
  /// Lines that run close to each other all along, and end at one height, are one band from the least of them
  /// to the greatest.
  bool bands = false;
  /// Values that are known at x alone: from the one before, each line runs at the height of the next.
  bool steps = false;
};

/// The chart as a figure with the table of all values. The key below names the lines in the order of their
/// ends, the highest first; lines that cannot be told apart in the drawing are one with all their names. On a
/// logarithmic y axis, which spans whole decades unless its ends are given, an exact zero is a triangle on
/// the bottom line and interrupts its line. Throws std::logic_error for series that do not fit x_values, for
/// more than max_series of them, for none, and for x <= 0 on a logarithmic x axis.
Figure line_chart(const LineChart& chart);

}  // namespace vernier
