#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/table.hpp"
#include "reports/html/template.hpp"

namespace vernier {

/// What every chart says of itself.
struct ChartText {
  std::string id;       ///< unique on its page: a letter, then letters, digits and hyphens
  std::string title;    ///< what the chart is of, a few words
  std::string caption;  ///< what the chart shows, in whole sentences
};

/// A chart with all that a reader without eyes or colours needs in its place. The drawing stands in the page;
/// the page's script (web/charts.mjs) reads the numbers out of the table.
struct Figure : ChartText {
  std::string picture;  ///< an svg element
  DataTable table;      ///< the numbers behind the chart, or what stands for them
  std::string table_summary = "The numbers behind this chart";
};

/// Throws std::logic_error with the complaint unless a condition holds that a chart has to keep.
void require(const ChartText& chart, bool condition, std::string_view complaint);

/// Id of the element that names the figure `id`: its caption.
std::string caption_id(const std::string& figure_id);

/// The figure as HTML: caption, drawing and table. Throws std::logic_error for a figure without id, title,
/// caption, drawing or table.
std::string to_html(const Figure& figure);

/// JSON text that can stand inside a script element, whatever its strings hold: "<" is written as an escape,
/// and bytes that are not UTF-8 as the replacement character.
std::string script_safe_json(const Json& json);

/// What a mark's colour says: green, red, grey.
enum class MarkTone { good, bad, neutral };

/// The style sheet's class of marks of this tone.
std::string tone_class(MarkTone tone);

}  // namespace vernier
