#include "reports/html/charts/error_heat_map.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/key.hpp"
#include "reports/html/number_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr std::string_view ratio_title = "error / budget";
/// The least share that breaks the contract. The bands from there on are warm, those before cool, and a line
/// goes round the cells that reach it.
const double least_beyond = std::nextafter(1.0, 2.0);

/// A range of values that shares one colour, in every map the same: from `from` up to the next band's `from`.
struct ColourBand {
  double from;
  std::string_view label;
  std::string_view css_class;
};
const std::array colour_bands{
    ColourBand{0, "up to 1/8", "band-1"},          ColourBand{0.125, "1/8 to 1/4", "band-2"},
    ColourBand{0.25, "1/4 to 1/2", "band-3"},      ColourBand{0.5, "1/2 to 1", "band-4"},
    ColourBand{least_beyond, "1 to 10", "band-5"}, ColourBand{10, "10 to 100", "band-6"},
    ColourBand{100, "100 to 10 000", "band-7"},    ColourBand{10000, "over 10 000", "band-8"},
    ColourBand{infinity, "not finite", "band-9"}};
constexpr ColourBand not_judged{0, "not judged", "not-judged"};

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

/// A cell for each octave of positions and each few pairs.
struct Cells {
  Octaves octaves;
  std::size_t columns;
  double pairs;                ///< where the last column ends
  std::vector<double> ratios;  ///< the greatest of each cell, octave by octave; NaN where nothing was judged

  double ratio(std::size_t octave, std::size_t column) const { return ratios[octave * columns + column]; }
};

std::string cell_range_text(std::size_t least, std::size_t greatest) {
  return least == greatest ? count_text(least) : count_text(least) + " to " + count_text(greatest);
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

// The cells that `is_wanted` holds of, those beside each other as one rectangle.
template <class Predicate>
std::string cells_path(const Cells& cells, const DrawnBox& plot, const Predicate& is_wanted) {
  const auto x = [&](std::size_t column) {
    return plot.left + plot.width() * static_cast<double>(column) / static_cast<double>(cells.columns);
  };
  const auto y = [&](std::size_t octave) {
    return plot.bottom -
           plot.height() * static_cast<double>(octave) / static_cast<double>(cells.octaves.count());
  };
  std::string path;
  for (std::size_t octave = 0; octave < cells.octaves.count(); ++octave) {
    for (std::size_t column = 0; column < cells.columns; ++column) {
      const auto first = column;
      while (column < cells.columns && is_wanted(cells.ratio(octave, column))) {
        ++column;
      }
      if (column > first) {
        path += moved_to(x(first), y(octave)) + lined_to(x(column), y(octave)) +
                lined_to(x(column), y(octave + 1)) + lined_to(x(first), y(octave + 1)) + "Z";
      }
    }
  }
  return path;
}

std::string square_path(double x, double y) {
  constexpr double r = 3.5;
  return moved_to(x - r, y - r) + lined_to(x + r, y - r) + lined_to(x + r, y + r) + lined_to(x - r, y + r) +
         "Z";
}

std::string ring_path(double x, double y) {
  return circle_path(x, y, 4);
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

// \param first marked by a square \param worst marked by a ring
std::string draw_cells(const std::string& id, const Cells& cells, const std::optional<ElementOnMap>& first,
                       const std::optional<ElementOnMap>& worst) {
  constexpr double octave_height = 12;
  const double height = std::clamp(octave_height * static_cast<double>(cells.octaves.count()), 140.0, 240.0);
  const double top = room_above_plot;
  const Scale y(AxisScale::powers_of_two, std::ldexp(1, static_cast<int>(cells.octaves.first)),
                std::ldexp(1, static_cast<int>(cells.octaves.last) + 1), top + height, top);
  const DrawnBox plot{room_of_labels(y), top, drawing_width - 2, top + height};
  const Scale x(AxisScale::linear, 0, cells.pairs, plot.left, plot.right);
  constexpr double swatch = 14;
  constexpr double to_name = 6;
  Drawing drawing;
  drawing.text(0, plot.bottom + room_below_plot + Drawing::line_spacing / 2, TextAnchor::start, ratio_title,
               "axis-title");
  ChartKey key(plot.bottom + room_below_plot + Drawing::line_spacing, swatch + to_name);
  const auto draw_band = [&](const ColourBand& band, const auto& holds) {
    if (const auto path = cells_path(cells, plot, holds); !path.empty()) {
      drawing.path(path, fmt::format("mark {}", band.css_class));
      const auto sample = key.add(drawing, band.label);
      drawing.rectangle({sample.x, sample.y - swatch / 2, sample.x + swatch, sample.y + swatch / 2},
                        fmt::format("swatch {}", band.css_class));
    }
  };
  draw_band(not_judged, [](double ratio) { return std::isnan(ratio); });
  for (auto band = colour_bands.begin(); band != colour_bands.end(); ++band) {
    if (band->from == least_beyond) {
      // Its stroke stays in sight where no cell beyond covers it.
      drawing.path(cells_path(cells, plot, [](double ratio) { return ratio >= least_beyond; }), "limit");
    }
    const auto next = band + 1;
    draw_band(*band, [&](double ratio) {
      return ratio >= band->from && (next == colour_bands.end() || ratio < next->from);
    });
  }
  draw_mark(drawing, first, x, y, square_path);
  draw_mark(drawing, worst, x, y, ring_path);
  draw_axes(drawing, plot, x, "pair", y, "|position|", false);
  return drawing.finish(drawing_width, key.bottom(), "picture cells", caption_id(id),
                        cell_attributes(x, y, {"pair", "|position|", ratio_title}));
}

}  // namespace

Figure error_heat_map(std::string id, std::string title, const std::string& story, const ErrorMap& map,
                      const std::optional<ElementOnMap>& first, const std::optional<ElementOnMap>& worst) {
  const auto coarse = map.coarsened(most_error_cells);
  const auto shown = octaves_of(coarse);
  const auto columns = (coarse.pairs + coarse.pairs_per_cell - 1) / coarse.pairs_per_cell;
  const Cells cells{shown, columns, static_cast<double>(columns * coarse.pairs_per_cell),
                    ratios_of(coarse, shown, columns)};
  auto picture = draw_cells(id, cells, first, worst);
  auto table = table_of(title, coarse, shown, cells.ratios, columns);
  return {{std::move(id), std::move(title), story},
          std::move(picture),
          std::move(table),
          "The greatest error over budget of each cell"};
}

}  // namespace vernier
