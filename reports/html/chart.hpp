#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/html/table.hpp"
#include "reports/html/template.hpp"

namespace vernier {

/// Number of series that can be told apart in one chart, by colour and by dash pattern.
constexpr std::size_t max_series = 8;

/// One line of a chart's key, drawn as a piece of line (`css_class` and `dash`) or, where `colour` is given,
/// as a filled square.
struct LegendEntry {
  std::string label;
  std::string css_class;  ///< "series-1" to "series-8" or "budget": the class that gives the line its colour
  std::string dash;       ///< lengths of the line's dashes and gaps in px, "7 3"; "none" for a solid line
  std::string colour;     ///< "#rrggbb" of an area
};

/// A chart with all that a reader without eyes, colours or JavaScript needs in its place.
struct Figure {
  std::string id;       ///< unique on its page: a letter, then letters, digits and hyphens
  std::string title;    ///< what the chart is of, a few words
  std::string caption;  ///< what the chart shows, in whole sentences
  Json spec;  ///< a Vega-Lite specification; without data from elsewhere, without config (see web/theme.mjs)
  std::vector<LegendEntry> legend;
  DataTable table;  ///< the numbers behind the chart, or what stands for them
  std::string table_summary = "The numbers behind this chart";
};

/// The figure as HTML: caption, key, the chart (hidden until the driver has drawn it) and the table. The
/// specification gets the caption as its description and, where it names none, a width that follows the page.
/// Throws std::logic_error for a figure without id, title, caption or table.
std::string to_html(const Figure& figure);

/// JSON text that can stand inside a script element, whatever its strings hold: "<" is written as an escape,
/// and bytes that are not UTF-8 as the replacement character.
std::string script_safe_json(const Json& json);

/// Dash pattern of series `index` (0 to max_series - 1) as a Vega array of px.
Json series_dash(std::size_t index);

/// The key of series `index`, drawn in the colour and the dashes the chart gives it.
LegendEntry series_legend(std::size_t index, std::string label);

/// The key of a budget: the line an error must stay below.
LegendEntry budget_legend(std::string label);

/// The key of an area of one colour ("#rrggbb").
LegendEntry area_legend(std::string colour, std::string label);

/// A Vega-Lite axis for a logarithmic scale, labelled with powers of ten from 10^first to 10^last.
Json power_of_ten_axis(std::string title, int first, int last);

/// "10" with `exponent` raised: "10⁻⁷".
std::string power_of_ten(int exponent);

}  // namespace vernier
