#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/charts/chart.hpp"
#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {

/// One axis of a heat map, from the outer edge of the first cell to the outer edge of the last. Cells divide
/// it evenly: in the value where the scale is linear, in its logarithm where it is logarithmic.
struct CellAxis {
  ChartAxis axis;
  double low = 0;
  double high = 1;
};

/// A range of values that shares one colour: from `from` up to the next band's `from`.
struct ColourBand {
  double from;
  std::string label;  ///< "0.5 to 1 ulp"
};

/// A place that the map points out, by its form.
struct MapMark {
  enum class Form { square, ring };
  Form form;
  double x;
  double y;
};

/// A matrix of values as coloured cells.
struct HeatMap : ChartText {
  CellAxis x;
  CellAxis y;
  std::string value_title;        ///< what a cell's colour says, with its unit
  std::vector<double> values;     ///< row by row, the row at y.low first; NaN where there is no value
  std::size_t columns = 0;        ///< cells in a row
  std::vector<ColourBand> bands;  ///< 1 to 64, ascending, the first at or below every value; pale to dark
  DataTable table;  ///< in the map's place for those who do not see it; empty: how many cells each band holds
  /// The table has a row for each row of cells, the one at y.low first, and after its first column one for
  /// each column of cells: what a reader points at is told in its words.
  bool table_tells_cells = false;
  /// A band's `from`. The bands from there on are coloured apart, and a line goes round the cells that reach
  /// it.
  std::optional<double> limit = std::nullopt;
  /// The bands are of values on the two sides of zero, which is in their middle.
  bool diverging = false;
  std::string no_value_label = "no value";
  std::vector<MapMark> marks = {};
  double width = drawing_width;
  double plot_height = 330;
};

/// The map as a figure: a picture of one pixel a cell within axes, a scale of the bands' colours, and a
/// table. Throws std::logic_error for values that are no full rows, bands out of order, and a value below the
/// first band.
Figure heat_map(const HeatMap& map);

}  // namespace vernier
