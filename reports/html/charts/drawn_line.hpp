#pragma once

#include <string>
#include <vector>

#include "reports/html/charts/line_chart.hpp"
#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {

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
  double absent_at = 0;          ///< where the name stands then
};

/// The lines of a chart, in the order of their first series.
std::vector<DrawnLine> drawn_lines(const LineChart& chart, const Scale& x, const Scale& y);

/// A band from the least to the greatest height: a closed path for each stretch without a gap, within the
/// plot.
std::string band_path(const DrawnLine& line, double top, double bottom);

}  // namespace vernier
