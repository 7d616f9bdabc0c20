#include "reports/html/charts/error_heat_map.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/heat_map.hpp"
#include "reports/html/number_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double map_width = 570;

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
  const double beyond = std::nextafter(1.0, 2.0);
  std::vector<ColourBand> all{{0, "up to 1/8"},       {0.125, "1/8 to 1/4"},  {0.25, "1/4 to 1/2"},
                              {0.5, "1/2 to 1"},      {beyond, "1 to 10"},    {10, "10 to 100"},
                              {100, "100 to 10 000"}, {10000, "over 10 000"}, {infinity, "not finite"}};
  std::erase_if(all, [&](const ColourBand& band) { return band.from > std::max(greatest, beyond); });
  return all;
}

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

}  // namespace

Figure error_heat_map(std::string id, std::string title, const std::string& story, const ErrorMap& map,
                      const std::optional<ElementOnMap>& first, const std::optional<ElementOnMap>& worst) {
  constexpr double row_height = 15;
  constexpr double least_height = 170;
  constexpr double most_height = 330;
  const auto coarse = map.coarsened(most_error_cells);
  const auto shown = octaves_of(coarse);
  const auto columns = (coarse.pairs + coarse.pairs_per_cell - 1) / coarse.pairs_per_cell;
  HeatMap drawn;
  drawn.values = ratios_of(coarse, shown, columns);
  double greatest = 0;
  for (const double value : drawn.values) {
    greatest = std::isnan(value) ? greatest : std::max(greatest, value);
  }
  drawn.table = table_of(title, coarse, shown, drawn.values, columns);
  drawn.table_tells_cells = true;
  drawn.id = std::move(id);
  drawn.title = std::move(title);
  drawn.caption = story;
  drawn.x = {{"pair"}, 0, static_cast<double>(columns * coarse.pairs_per_cell)};
  drawn.y = {{"|position|", AxisScale::powers_of_two},
             std::ldexp(1, static_cast<int>(shown.first)),
             std::ldexp(1, static_cast<int>(shown.last) + 1)};
  drawn.value_title = "error / budget";
  drawn.columns = columns;
  drawn.bands = bands(greatest);
  drawn.limit = std::nextafter(1.0, 2.0);
  drawn.no_value_label = "not judged";
  const auto mark = [&](MapMark::Form form, const std::optional<ElementOnMap>& element) {
    if (element) {
      const double position = std::max(1.0, std::fabs(static_cast<double>(element->position)));
      drawn.marks.push_back({form, element->pair + 0.5, position});
    }
  };
  mark(MapMark::Form::square, first);
  mark(MapMark::Form::ring, worst);
  drawn.width = map_width;
  drawn.plot_height = std::clamp(row_height * static_cast<double>(shown.count()), least_height, most_height);
  auto figure = heat_map(drawn);
  figure.table_summary = "The greatest error over budget of each cell";
  return figure;
}

}  // namespace vernier
