#pragma once

#include <optional>
#include <string>

namespace vernier {

/// How an axis is divided. `powers_of_two` is logarithmic too, and its labels are 512, 4 K, 1 M.
enum class AxisScale { linear, logarithmic, powers_of_two };

/// An axis: what it shows, with its unit, and how it is divided. It spans the values, or from `low` to `high`
/// where they are given; what lies beyond is cut off.
struct ChartAxis {
  std::string title;
  AxisScale scale = AxisScale::linear;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

}  // namespace vernier
