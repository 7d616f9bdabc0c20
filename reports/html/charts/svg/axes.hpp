#pragma once

#include <array>
#include <string>
#include <string_view>

#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/scale.hpp"

namespace vernier {

/// Width of every drawing but that of bars, in its units: letters fit a phone's box, and the style sheet
/// makes them smaller, in these units, the wider the box.
constexpr double drawing_width = 366;

/// Room that the axes take around the plot.
constexpr double room_above_plot = 30;  // the title of the vertical axis
constexpr double room_below_plot = 48;  // labels and title of the horizontal axis

/// Room for the labels of the vertical axis, left of the plot.
double room_of_labels(const Scale& y);

/// Where the title of the vertical axis stands, above the plot.
double title_height(const DrawnBox& plot);

/// Draws grid lines (where asked for), labels and titles of the axes around `plot`.
void draw_axes(Drawing& drawing, const DrawnBox& plot, const Scale& x, std::string_view x_title,
               const Scale& y, std::string_view y_title, bool grid);

/// Attributes from which the page's script places values.
std::string scale_attributes(const Scale& x, const Scale& y);
/// The same of cells. \param titles of x, of y and of the values
std::string cell_attributes(const Scale& x, const Scale& y, const std::array<std::string_view, 3>& titles);

}  // namespace vernier
