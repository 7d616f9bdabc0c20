#include "reports/html/charts/error_heat_map.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/palette_png.hpp"
#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double map_width = 570;
constexpr std::string_view ratio_title = "error / budget";
/// The least share that breaks the contract. The bands from there on are coloured apart, and a line goes
/// round the cells that reach it.
const double least_beyond = std::nextafter(1.0, 2.0);

// Grey, which no band is.
constexpr Colour no_value_colour{140, 146, 152};

/// A range of values that shares one colour: from `from` up to the next band's `from`.
struct ColourBand {
  double from;
  std::string label;
};

/// The octaves from the first to the last that hold an element.
struct Octaves {
  std::size_t first;
  std::size_t last;

  std::size_t count() const { return last - first + 1; }
};

Octaves octaves_of(const ErrorMap& map) {
  const auto holds = [](const ErrorOctave& octave) { return !octave.cells.empty(); };
  assert(std::ranges::any_of(map.octaves, holds));
  const auto first = std::ranges::find_if(map.octaves, holds) - map.octaves.begin();
  const auto last = std::find_if(map.octaves.rbegin(), map.octaves.rend(), holds) - map.octaves.rbegin();
  return {static_cast<std::size_t>(first), map.octaves.size() - 1 - static_cast<std::size_t>(last)};
}

/// Those above a greatest value are left out, but for the first that breaks the contract.
std::vector<ColourBand> bands(double greatest) {
  std::vector<ColourBand> all{{0, "up to 1/8"},       {0.125, "1/8 to 1/4"},     {0.25, "1/4 to 1/2"},
                              {0.5, "1/2 to 1"},      {least_beyond, "1 to 10"}, {10, "10 to 100"},
                              {100, "100 to 10 000"}, {10000, "over 10 000"},    {infinity, "not finite"}};
  std::erase_if(all, [&](const ColourBand& band) { return band.from > std::max(greatest, least_beyond); });
  return all;
}

/// A cell for each octave of positions and each few pairs.
struct Cells {
  Octaves octaves;
  std::size_t columns;
  double pairs;                ///< where the last column ends
  std::vector<double> ratios;  ///< the greatest of each cell, octave by octave; NaN where nothing was judged
  std::vector<ColourBand> bands;

  std::size_t bands_below() const {
    const auto limit = std::ranges::find(bands, least_beyond, &ColourBand::from);
    return static_cast<std::size_t>(limit - bands.begin());
  }
};

std::string cell_range_text(std::size_t least, std::size_t greatest) {
  const auto text = [](std::size_t value) { return count_text(static_cast<std::int64_t>(value)); };
  return least == greatest ? text(least) : text(least) + " to " + text(greatest);
}

std::string octave_text(std::size_t octave) {
  return cell_range_text(octave == 0 ? 0 : std::size_t{1} << octave, (std::size_t{2} << octave) - 1);
}

std::string ratio_text(double ratio) {
  if (std::isnan(ratio)) {
    return "–";
  }
  return std::isfinite(ratio) ? readable_number(std::stod(bound_text(ratio, 3))) : number_text(ratio, 3);
}

/// The greatest use of a budget in each cell, octave by octave; NaN where nothing was judged.
std::vector<double> ratios_of(const ErrorMap& map, const Octaves& shown, std::size_t columns) {
  std::vector<double> values;
  for (auto octave = shown.first; octave <= shown.last; ++octave) {
    const auto& cells = map.octaves[octave].cells;
    for (std::size_t i = 0; i < columns; ++i) {
      const bool judged = i < cells.size() && cells[i].judged > 0;
      values.push_back(judged ? cells[i].greatest_budget_ratio : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return values;
}

DataTable table_of(const std::string& title, const ErrorMap& map, const Octaves& shown,
                   const std::vector<double>& values, std::size_t columns) {
  DataTable table{title + " Greatest error over budget, by |position| and pair", {{"|position|", true}}, {}};
  for (std::size_t i = 0; i < columns; ++i) {
    const auto first = i * map.pairs_per_cell;
    table.columns.push_back(
        {cell_range_text(first, std::min(first + map.pairs_per_cell, map.pairs) - 1), true});
  }
  for (std::size_t row = 0; row < shown.count(); ++row) {
    std::vector<std::string> cells{octave_text(shown.first + row)};
    for (std::size_t i = 0; i < columns; ++i) {
      cells.push_back(ratio_text(values[row * columns + i]));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// The band of each cell, the last octave first; the number of bands stands for "no value".
std::vector<std::uint8_t> band_indices(const Cells& cells) {
  std::vector<std::uint8_t> indices;
  for (auto row = cells.octaves.count(); row-- > 0;) {
    for (std::size_t i = 0; i < cells.columns; ++i) {
      const double ratio = cells.ratios[row * cells.columns + i];
      const auto above = std::ranges::upper_bound(cells.bands, ratio, {}, &ColourBand::from);
      const auto band = std::isnan(ratio) ? std::ssize(cells.bands) : above - cells.bands.begin() - 1;
      indices.push_back(static_cast<std::uint8_t>(band));
    }
  }
  return indices;
}

// One step of the colour scale.
struct ColourStep {
  Colour colour;
  std::string label;
};

// The line between the cells that are beyond and the others. Runs of edges are one stroke.
std::string limit_line(const Cells& cells, const DrawnBox& plot) {
  const auto columns = static_cast<std::ptrdiff_t>(cells.columns);
  const auto rows = static_cast<std::ptrdiff_t>(cells.octaves.count());
  const auto reaches = [&](std::ptrdiff_t row, std::ptrdiff_t column) {
    return row >= 0 && row < rows && column >= 0 && column < columns &&
           cells.ratios[static_cast<std::size_t>(row * columns + column)] >= least_beyond;
  };
  const auto x = [&](std::ptrdiff_t column) {
    return plot.left + plot.width() * static_cast<double>(column) / static_cast<double>(columns);
  };
  const auto y = [&](std::ptrdiff_t row) {
    return plot.bottom - plot.height() * static_cast<double>(row) / static_cast<double>(rows);
  };
  std::string path;
  for (const bool across : {true, false}) {
    const auto steps = across ? columns : rows;
    for (std::ptrdiff_t line = 0; line <= (across ? rows : columns); ++line) {
      const auto is_edge = [&](std::ptrdiff_t at) {
        return at < steps && (across ? reaches(line, at) != reaches(line - 1, at)
                                     : reaches(at, line) != reaches(at, line - 1));
      };
      const auto place = [&](std::ptrdiff_t at) {
        return across ? DrawnPoint{x(at), y(line)} : DrawnPoint{x(line), y(at)};
      };
      for (std::ptrdiff_t at = 0; at < steps; ++at) {
        if (is_edge(at)) {
          path += moved_to(place(at).x, place(at).y);
          while (is_edge(at)) {
            ++at;
          }
          path += lined_to(place(at).x, place(at).y);
        }
      }
    }
  }
  return path;
}

std::string square_path(double x, double y) {
  constexpr double r = 5;
  return moved_to(x - r, y - r) + lined_to(x + r, y - r) + lined_to(x + r, y + r) + lined_to(x - r, y + r) +
         "Z";
}

std::string ring_path(double x, double y) {
  constexpr double r = 6;
  const auto arc = fmt::format("A{0} {0} 0 0 1 ", coordinate(r));
  return moved_to(x - r, y) + arc + fmt::format("{} {}", coordinate(x + r), coordinate(y)) + arc +
         fmt::format("{} {}", coordinate(x - r), coordinate(y)) + "Z";
}

void draw_mark(Drawing& drawing, const std::optional<ElementOnMap>& element, const Scale& x, const Scale& y,
               std::string (*form)(double, double)) {
  if (element) {
    const double position = std::max(1.0, std::fabs(static_cast<double>(element->position)));
    const auto path = form(x.place(element->pair + 0.5), y.place(position));
    drawing.path(path, "halo");
    drawing.path(path, "named");
  }
}

// The scale of colours, the highest band above. Labels that would touch are left out; the script reads them
// all.
// \param below_limit how many steps are below the limit
void draw_colours(Drawing& drawing, const std::vector<ColourStep>& steps, std::size_t below_limit,
                  double left, double top, double bottom) {
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
  const double at = bottom - height * static_cast<double>(below_limit);
  drawing.line(left - 5, at, left + swatch + 5, at, "limit");
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

/// \param first marked by a square \param worst marked by a ring
std::string draw_cells(const std::string& id, const Cells& cells, const std::vector<ColourStep>& steps,
                       const std::string& url, double width, const std::optional<ElementOnMap>& first,
                       const std::optional<ElementOnMap>& worst) {
  constexpr double octave_height = 15;
  constexpr double least_height = 170;
  constexpr double most_height = 330;
  const double height =
      std::clamp(octave_height * static_cast<double>(cells.octaves.count()), least_height, most_height);
  const bool slim = width == slim_width;
  const double before_scale = slim ? 10 : 20;
  // Where room is scarce the title of the colours has a line of its own.
  const double aside = std::max(scale_width(steps), slim ? 0 : text_width(ratio_title, Drawing::letters));
  const double top = room_above_plot + (slim ? Drawing::line_spacing : 0);
  const Scale y(AxisScale::powers_of_two, std::ldexp(1, static_cast<int>(cells.octaves.first)),
                std::ldexp(1, static_cast<int>(cells.octaves.last) + 1), top + height, top);
  const DrawnBox plot{room_of_labels(y), top, std::floor(width - aside - before_scale), top + height};
  const Scale x(AxisScale::linear, 0, cells.pairs, plot.left, plot.right);
  Drawing drawing;
  drawing.image(plot, url);
  drawing.path(limit_line(cells, plot), "limit");
  draw_mark(drawing, first, x, y, square_path);
  draw_mark(drawing, worst, x, y, ring_path);
  draw_axes(drawing, width, plot, x, "pair", y, "|position|", false);
  const double left = plot.right + before_scale;
  if (slim) {
    drawing.text(width, title_height(plot) - Drawing::line_spacing, TextAnchor::end, ratio_title,
                 "axis-title");
  } else {
    drawing.text(left, title_height(plot), TextAnchor::start, ratio_title, "axis-title");
  }
  // A step for "no value" is the lowest.
  draw_colours(drawing, steps, steps.size() - cells.bands.size() + cells.bands_below(), left, plot.top,
               plot.bottom);
  return drawing.finish(width, plot.bottom + room_below_plot, "picture cells narrow", caption_id(id),
                        cell_attributes(x, y, {"pair", "|position|", ratio_title}));
}

}  // namespace

Figure error_heat_map(std::string id, std::string title, const std::string& story, const ErrorMap& map,
                      const std::optional<ElementOnMap>& first, const std::optional<ElementOnMap>& worst) {
  const auto coarse = map.coarsened(most_error_cells);
  const auto shown = octaves_of(coarse);
  const auto columns = (coarse.pairs + coarse.pairs_per_cell - 1) / coarse.pairs_per_cell;
  Cells cells{shown,
              columns,
              static_cast<double>(columns * coarse.pairs_per_cell),
              ratios_of(coarse, shown, columns),
              {}};
  double greatest = 0;
  std::vector<ColourStep> steps;
  for (const double ratio : cells.ratios) {
    if (!std::isnan(ratio)) {
      greatest = std::max(greatest, ratio);
    } else if (steps.empty()) {
      steps.push_back({no_value_colour, "not judged"});
    }
  }
  cells.bands = bands(greatest);
  auto colours = colours_about_limit(cells.bands_below(), cells.bands.size() - cells.bands_below());
  for (std::size_t i = 0; i < cells.bands.size(); ++i) {
    steps.push_back({colours[i], cells.bands[i].label});
  }
  colours.push_back(no_value_colour);
  const auto url =
      "data:image/png;base64," + base64(palette_png(band_indices(cells), cells.columns, colours));
  auto wide = draw_cells(id, cells, steps, url, map_width, first, worst);
  auto slim = draw_cells(id, cells, steps, url, slim_width, first, worst);
  auto table = table_of(title, coarse, shown, cells.ratios, columns);
  return {{std::move(id), std::move(title), story},      std::move(wide), std::move(table), {},
          "The greatest error over budget of each cell", std::move(slim)};
}

}  // namespace vernier
