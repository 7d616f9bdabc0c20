#include "reports/html/charts/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/palette_png.hpp"
#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

// Grey, which no band is.
constexpr Colour no_value_colour{140, 146, 152};

void require_complete(const HeatMap& map) {
  require(map, map.columns > 0 && !map.values.empty() && map.values.size() % map.columns == 0,
          fmt::format("{} values do not fill rows of {}", map.values.size(), map.columns));
  const auto ascending = [](const ColourBand& a, const ColourBand& b) { return !(a.from < b.from); };
  require(map, !map.bands.empty() && std::ranges::adjacent_find(map.bands, ascending) == map.bands.end(),
          "its bands do not ascend");
  require(map, !map.limit || std::ranges::find(map.bands, *map.limit, &ColourBand::from) != map.bands.end(),
          "no band starts at its limit");
  require(map,
          !map.table_tells_cells || (map.table.columns.size() == map.columns + 1 &&
                                     map.table.rows.size() == map.values.size() / map.columns),
          "its table has not one cell for each of the map's");
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
    const auto above = std::ranges::upper_bound(map.bands, value, {}, &ColourBand::from);
    require(map, above != map.bands.begin(), "a value lies below the first band");
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

std::size_t bands_below(const HeatMap& map) {
  const auto limit = std::ranges::find(map.bands, map.limit.value_or(0), &ColourBand::from);
  return static_cast<std::size_t>(limit - map.bands.begin());
}

std::vector<Colour> band_colours(const HeatMap& map) {
  return map.limit       ? colours_about_limit(bands_below(map), map.bands.size() - bands_below(map))
         : map.diverging ? diverging_colours(map.bands.size())
                         : sequential_colours(map.bands.size());
}

// The line between the cells that reach the limit and the others. Runs of edges are one stroke.
std::string limit_line(const HeatMap& map, const DrawnBox& plot) {
  const auto columns = static_cast<std::ptrdiff_t>(map.columns);
  const auto rows = static_cast<std::ptrdiff_t>(map.values.size()) / columns;
  const auto reaches = [&](std::ptrdiff_t row, std::ptrdiff_t column) {
    return row >= 0 && row < rows && column >= 0 && column < columns &&
           map.values[static_cast<std::size_t>(row * columns + column)] >= *map.limit;
  };
  const auto x = [&](std::ptrdiff_t column) {
    return plot.left + plot.width() * static_cast<double>(column) / static_cast<double>(columns);
  };
  const auto y = [&](std::ptrdiff_t row) {
    return plot.bottom - plot.height() * static_cast<double>(row) / static_cast<double>(rows);
  };
  std::string path;
  // Edges of one line from `first`, as far as they follow each other.
  const auto stroke = [&](std::ptrdiff_t count, const auto& is_edge, const auto& place) {
    for (std::ptrdiff_t at = 0; at < count; ++at) {
      if (!is_edge(at)) {
        continue;
      }
      const auto first = at;
      while (at < count && is_edge(at)) {
        ++at;
      }
      path += moved_to(place(first).first, place(first).second) + lined_to(place(at).first, place(at).second);
    }
  };
  for (std::ptrdiff_t row = 0; row <= rows; ++row) {
    stroke(
        columns, [&](auto column) { return reaches(row, column) != reaches(row - 1, column); },
        [&](auto column) {
          return std::pair{x(column), y(row)};
        });
  }
  for (std::ptrdiff_t column = 0; column <= columns; ++column) {
    stroke(
        rows, [&](auto row) { return reaches(row, column) != reaches(row, column - 1); },
        [&](auto row) {
          return std::pair{x(column), y(row)};
        });
  }
  return path;
}

std::string form_path(MapMark::Form form, double x, double y) {
  constexpr double half = 5;
  const double r = form == MapMark::Form::ring ? half + 1 : half;
  if (form == MapMark::Form::square) {
    return moved_to(x - r, y - r) + lined_to(x + r, y - r) + lined_to(x + r, y + r) + lined_to(x - r, y + r) +
           "Z";
  }
  const auto arc = fmt::format("A{0} {0} 0 0 1 ", coordinate(r));
  return moved_to(x - r, y) + arc + fmt::format("{} {}", coordinate(x + r), coordinate(y)) + arc +
         fmt::format("{} {}", coordinate(x - r), coordinate(y)) + "Z";
}

void draw_marks(Drawing& drawing, const HeatMap& map, const Scale& x, const Scale& y) {
  for (const auto& mark : map.marks) {
    const auto path = form_path(mark.form, x.place(mark.x), y.place(mark.y));
    drawing.path(path, "halo");
    drawing.path(path, "named");
  }
}

// The scale of colours, the highest band above. Labels that would touch are left out; the script reads them
// all.
// \param below_limit how many steps are below the limit; none where there is no limit
void draw_colours(Drawing& drawing, const std::vector<ColourStep>& steps,
                  std::optional<std::size_t> below_limit, double left, double top, double bottom) {
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
  if (below_limit) {
    const double at = bottom - height * static_cast<double>(*below_limit);
    drawing.line(left - 5, at, left + swatch + 5, at, "limit");
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

std::string draw_cells(const HeatMap& map, double width, const std::vector<ColourStep>& steps,
                       const std::string& url) {
  const bool slim = width == slim_width;
  const double before_scale = slim ? 10 : 20;
  constexpr double title_width = 190;
  const auto title = wrapped_text(map.value_title, Drawing::letters, title_width, 1);
  // Where room is scarce the title of the colours has a line of its own.
  const bool beside = !slim && !title.empty();
  const double aside = std::max(scale_width(steps), beside ? text_width(title.front(), Drawing::letters) : 0);
  const double top = room_above_plot + (slim ? Drawing::line_spacing : 0);
  const Scale y(map.y.axis.scale, map.y.low, map.y.high, top + map.plot_height, top);
  const DrawnBox plot{room_of_labels(y), top, std::floor(width - aside - before_scale),
                      top + map.plot_height};
  const Scale x(map.x.axis.scale, map.x.low, map.x.high, plot.left, plot.right);
  Drawing drawing;
  drawing.image(plot, url);
  if (map.limit) {
    drawing.path(limit_line(map, plot), "limit");
  }
  draw_marks(drawing, map, x, y);
  draw_axes(drawing, width, plot, x, map.x.axis.title, y, map.y.axis.title, false);
  const double left = plot.right + before_scale;
  if (beside) {
    drawing.text(left, title_height(plot), TextAnchor::start, title.front(), "axis-title");
  } else if (!title.empty()) {
    drawing.text(width, title_height(plot) - Drawing::line_spacing, TextAnchor::end, title.front(),
                 "axis-title");
  }
  // A step for "no value" is the lowest.
  const auto below_limit =
      map.limit ? std::optional(steps.size() - map.bands.size() + bands_below(map)) : std::nullopt;
  draw_colours(drawing, steps, below_limit, left, plot.top, plot.bottom);
  return drawing.finish(
      width, plot.bottom + room_below_plot,
      map.width < drawing_width ? "picture cells narrow" : "picture cells", caption_id(map.id),
      cell_attributes(x, y, {map.x.axis.title, map.y.axis.title, map.value_title}, map.table_tells_cells));
}

DataTable band_table(const HeatMap& map, const std::vector<std::uint8_t>& indices) {
  DataTable table{map.title, {{map.value_title, false}, {"cells", true}, {"share", true}}, {}};
  for (std::size_t band = 0; band <= map.bands.size(); ++band) {
    const auto count = std::count(indices.begin(), indices.end(), static_cast<std::uint8_t>(band));
    if (band == map.bands.size() && count == 0) {
      break;
    }
    const double share = 100 * static_cast<double>(count) / static_cast<double>(indices.size());
    table.rows.push_back({band < map.bands.size() ? map.bands[band].label : map.no_value_label,
                          std::to_string(count), number_text(share, 3) + " %"});
  }
  return table;
}

}  // namespace

Figure heat_map(const HeatMap& map) {
  require_complete(map);
  auto colours = band_colours(map);
  const auto indices = band_indices(map);
  std::vector<ColourStep> steps;
  if (std::find(indices.begin(), indices.end(), map.bands.size()) != indices.end()) {
    steps.push_back({no_value_colour, map.no_value_label});
  }
  for (std::size_t i = 0; i < map.bands.size(); ++i) {
    steps.push_back({colours[i], map.bands[i].label});
  }
  colours.push_back(no_value_colour);
  const auto url = "data:image/png;base64," +
                   base64(palette_png(top_row_first(indices, map.columns), map.columns, colours));
  return {map,
          draw_cells(map, map.width, steps, url),
          map.table.rows.empty() ? band_table(map, indices) : map.table,
          {},
          "The numbers behind this chart",
          draw_cells(map, slim_width, steps, url)};
}

}  // namespace vernier
