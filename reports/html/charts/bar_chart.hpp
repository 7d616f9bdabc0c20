#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/html/charts/chart.hpp"

namespace vernier {

/// One bar: so many of a whole.
struct Bar {
  std::string label;
  std::uint64_t value = 0;
  std::uint64_t of = 0;
  std::string detail = {};  ///< more about it, a few words
  MarkTone tone = MarkTone::good;
};

/// Horizontal bars as wide as their box, each below its label and "145 of 226".
struct BarChart : ChartText {
  std::vector<Bar> bars;
  std::string bar_title = "Name";      ///< what a label names, heads the table: "Recipe"
  std::string value_title = "Number";  ///< what is counted, heads the table: "Models served"
  /// Each whole is as long as every other, and bars are compared by their shares of it. Otherwise a bar is as
  /// long as its value, for counts of one kind of thing.
  bool shares = false;
  /// The wholes are samples: the table has the 95 % interval of each share in place of the share.
  bool samples = false;
};

/// The chart as a figure with its table. Throws std::logic_error for no bars, for a whole of nothing, and for
/// a part that is more than its whole.
Figure bar_chart(const BarChart& chart);

}  // namespace vernier
