#include "reports/html/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "reports/html/number_text.hpp"
#include "reports/html/palette_png.hpp"
#include "reports/html/svg/axes.hpp"
#include "reports/html/svg/text_width.hpp"

namespace vernier {
namespace {

// Grey, which no band is.
constexpr Colour no_value_colour{140, 146, 152};
constexpr std::string_view no_value_label = "no value";

[[noreturn]] void refuse(const HeatMap& map, const std::string& complaint) {
  throw std::logic_error(fmt::format("heat map '{}': {}", map.id, complaint));
}

void require_complete(const HeatMap& map) {
  if (map.columns == 0 || map.values.empty() || map.values.size() % map.columns != 0) {
    refuse(map, fmt::format("{} values are no full rows of {}", map.values.size(), map.columns));
  }
  const auto ascending = [](const ColourBand& a, const ColourBand& b) { return !(a.from < b.from); };
  if (map.bands.empty() ||
      std::adjacent_find(map.bands.begin(), map.bands.end(), ascending) != map.bands.end()) {
    refuse(map, "its bands do not ascend");
  }
}

// The band of each cell, rows from the bottom; the number of bands stands for "no value".
std::vector<std::uint8_t> band_indices(const HeatMap& map) {
  std::vector<std::uint8_t> indices;
  indices.reserve(map.values.size());
  for (const double value : map.values) {
    if (std::isnan(value)) {
      indices.push_back(static_cast<std::uint8_t>(map.bands.size()));
      continue;
    }
    const auto above = std::upper_bound(map.bands.begin(), map.bands.end(), value,
                                        [](double v, const ColourBand& band) { return v < band.from; });
    if (above == map.bands.begin()) {
      refuse(map, fmt::format("the value {} lies below the first band", number_text(value, 6)));
    }
    indices.push_back(static_cast<std::uint8_t>(above - map.bands.begin() - 1));
  }
  return indices;
}

// A picture starts with its top row, a matrix with its bottom row.
std::vector<std::uint8_t> top_row_first(const std::vector<std::uint8_t>& cells, std::size_t columns) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(cells.size());
  const std::span<const std::uint8_t> rows(cells);
  for (std::size_t start = cells.size(); start > 0; start -= columns) {
    const auto row = rows.subspan(start - columns, columns);
    pixels.insert(pixels.end(), row.begin(), row.end());
  }
  return pixels;
}

// One step of the colour scale.
struct ColourStep {
  Colour colour;
  std::string label;
};

// The scale of colours, the highest band above. Labels that would touch are left out; the script reads them
// all.
void draw_colours(Drawing& drawing, const std::vector<ColourStep>& steps, double left, double top,
                  double bottom) {
  constexpr double swatch = 18;
  const double height = (bottom - top) / static_cast<double>(steps.size());
  double labelled = top - Drawing::line_spacing;
  drawing.open_group("colours");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& step = steps[steps.size() - 1 - i];
    const double from = top + height * static_cast<double>(i);
    const double middle = from + height / 2;
    drawing.rectangle(
        {left, from, left + swatch, from + height}, "swatch",
        fmt::format(" fill=\"{}\"", hex_colour(step.colour)) + data_attribute("label", step.label));
    if (middle - labelled >= Drawing::line_spacing) {
      drawing.text(left + swatch + 6, middle, TextAnchor::start, step.label);
      labelled = middle;
    }
  }
  drawing.close_group();
}

double scale_width(const std::vector<ColourStep>& steps) {
  constexpr double beside_labels = 26;
  double widest = 0;
  for (const auto& step : steps) {
    widest = std::max(widest, text_width(step.label, Drawing::letters));
  }
  return widest + beside_labels;
}

Picture draw(const HeatMap& map, const std::vector<ColourStep>& steps, const std::string& url) {
  constexpr double plot_height = 330;
  constexpr double before_scale = 20;
  constexpr double title_width = 190;
  const auto title = wrapped_text(map.value_title, Drawing::letters, title_width, 1);
  const double aside =
      std::max(scale_width(steps), text_width(title.empty() ? "" : title.front(), Drawing::letters));
  const double top = room_above_plot;
  const Scale y(map.y.axis.scale, map.y.low, map.y.high, top + plot_height, top);
  const DrawnBox plot{room_of_labels(y), top, std::floor(drawing_width - aside - before_scale),
                      top + plot_height};
  const Scale x(map.x.axis.scale, map.x.low, map.x.high, plot.left, plot.right);
  Drawing drawing;
  drawing.image(plot, url);
  draw_axes(drawing, plot, x, map.x.axis.title, y, map.y.axis.title, false);
  const double left = plot.right + before_scale;
  if (!title.empty()) {
    drawing.text(left, title_height(plot), TextAnchor::start, title.front(), "axis-title");
  }
  draw_colours(drawing, steps, left, plot.top, plot.bottom);
  return std::move(drawing).finish(
      drawing_width, plot.bottom + room_below_plot, "picture cells", caption_id(map.id),
      data_attribute("x", x.in_words()) + data_attribute("y", y.in_words()) +
          data_attribute("x-title", map.x.axis.title) + data_attribute("y-title", map.y.axis.title) +
          data_attribute("value-title", map.value_title));
}

DataTable band_table(const HeatMap& map, const std::vector<std::uint8_t>& indices) {
  DataTable table{map.title, {{map.value_title, false}, {"cells", true}, {"share", true}}, {}};
  for (std::size_t band = 0; band <= map.bands.size(); ++band) {
    const auto count = std::count(indices.begin(), indices.end(), static_cast<std::uint8_t>(band));
    if (band == map.bands.size() && count == 0) {
      break;
    }
    const double share = 100 * static_cast<double>(count) / static_cast<double>(indices.size());
    table.rows.push_back({band < map.bands.size() ? map.bands[band].label : std::string(no_value_label),
                          std::to_string(count), number_text(share, 3) + " %"});
  }
  return table;
}

}  // namespace

Figure heat_map(const HeatMap& map) {
  require_complete(map);
  auto colours = sequential_colours(map.bands.size());
  const auto indices = band_indices(map);
  std::vector<ColourStep> steps;
  if (std::find(indices.begin(), indices.end(), map.bands.size()) != indices.end()) {
    steps.push_back({no_value_colour, std::string(no_value_label)});
  }
  for (std::size_t i = 0; i < map.bands.size(); ++i) {
    steps.push_back({colours[i], map.bands[i].label});
  }
  colours.push_back(no_value_colour);
  const auto picture = palette_png(top_row_first(indices, map.columns), map.columns, colours);
  return {map.id,
          map.title,
          map.caption,
          draw(map, steps, "data:image/png;base64," + base64(picture)),
          map.table.rows.empty() ? band_table(map, indices) : map.table,
          {}};
}

}  // namespace vernier
