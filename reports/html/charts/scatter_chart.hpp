#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {

/// Points of one meaning.
struct ScatterGroup {
  MarkTone tone;
  std::string label;
};

/// One point, in its group.
struct ScatterPoint {
  double x;
  double y;
  std::string label;
  std::size_t group = 0;
  std::string detail = {};  ///< more about it, a few words
  std::string href = {};    ///< where a click leads
};

/// Points over two axes.
struct ScatterChart : ChartText {
  ChartAxis x;
  ChartAxis y;
  std::vector<ScatterGroup> groups;
  std::vector<ScatterPoint> points;
  bool diagonal = false;  ///< draws the line on which x equals y
  std::string diagonal_label = {};
  std::string point_title = "Point";  ///< what a label names, heads the table: "Model"
};

/// The chart as a figure with the table of all points. Points of a group at one place are one mark, whose
/// area grows with their number. Throws std::logic_error for no points, a group that is not there, and a
/// point that an axis has no place for.
Figure scatter_chart(const ScatterChart& chart);

}  // namespace vernier
