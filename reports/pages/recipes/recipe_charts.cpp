#include "reports/pages/recipes/recipe_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "reference/certified_table.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/charts/scatter_chart.hpp"
#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/quantity_text.hpp"
#include "reports/pages/models/configuration.hpp"
#include "reports/pages/models/model_charts.hpp"

namespace vernier {
namespace {

constexpr int least_octave = -6;

/// The bins of an octave of errors in ulp, from 2^(octave - 1) to 2^octave; all below in the least.
int octave_of_bin(std::size_t bin) {
  return std::max(least_octave, static_cast<int>(std::ceil(std::log2(ErrorSummary::upper_edge(bin)))));
}

std::vector<double> shares_by_octave(const ErrorSummary& ulps, int greatest) {
  std::vector<double> shares(static_cast<std::size_t>(greatest - least_octave + 1));
  for (std::size_t bin = 0; bin < ErrorSummary::bins; ++bin) {
    const auto count = ulps.histogram()[bin];
    if (count > 0) {
      const int octave = std::min(octave_of_bin(bin), greatest);
      shares[static_cast<std::size_t>(octave - least_octave)] +=
          100 * static_cast<double>(count) / static_cast<double>(ulps.count());
    }
  }
  return shares;
}

int greatest_octave(const ErrorSummary& ulps) {
  int greatest = 1;
  for (std::size_t bin = 0; bin + 1 < ErrorSummary::bins; ++bin) {
    greatest = ulps.histogram()[bin] > 0 ? std::max(greatest, octave_of_bin(bin)) : greatest;
  }
  return greatest;
}

/// The column of the sine of a pair.
std::size_t sine_column(const TrigTable& table, int pair) {
  const auto found = std::ranges::find_if(table.columns, [&](const Column& column) {
    return column.component == Component::sine && column.pair == pair;
  });
  return static_cast<std::size_t>(found - table.columns.begin());
}

}  // namespace

Figure ulp_histogram(const std::vector<TableStudy>& tables, std::string_view recipe) {
  int greatest = 1;
  for (const auto& study : tables) {
    greatest = std::max(greatest, greatest_octave(native_entry(study, recipe).report.statistics.ulps()));
  }
  LineChart chart;
  chart.id = "ulps";
  chart.title = "How many elements are off by how much.";
  chart.caption =
      "Of all elements the share whose error lies between half of a value and the value. Up to half an ulp "
      "an "
      "element is correctly rounded. Errors in ulp are large near zeros of sine and cosine, where an ulp is "
      "tiny.";
  chart.x = {"error in ulp of the recipe's own format", AxisScale::powers_of_two};
  chart.y = {"elements, %"};
  for (int octave = least_octave; octave <= greatest; ++octave) {
    chart.x_values.push_back(std::exp2(octave));
  }
  for (const auto& study : tables) {
    const auto& ulps = native_entry(study, recipe).report.statistics.ulps();
    chart.series.push_back({study.title, shares_by_octave(ulps, greatest)});
  }
  return line_chart(chart);
}

Figure signed_errors(const TableStudy& study, const Recipe& recipe) {
  constexpr std::int64_t shown = 300;
  const auto& table = study.table;
  const int pairs = table.frequencies.pairs();
  // Slow enough that the positions shown follow their turns.
  const std::set<int> chosen{pairs / 2, 5 * pairs / 8, 3 * pairs / 4};
  LineChart chart;
  chart.id = "signed";
  chart.title = "Its error with its sign.";
  chart.caption = fmt::format(
      "The sines of some pairs of “{}”, computed less true, at {} positions spread evenly. A curve that "
      "swings ever "
      "wider is a frequency that is off; noise of one width is rounding.",
      study.title, std::min(shown, study.positions));
  chart.x = {"position"};
  // In units of the format, as numbers near 1e-8 are hard to read along an axis.
  const int precision = traits(recipe.compute).precision;
  chart.y = {"error, in units of 2" + power_of_ten(-precision).substr(2)};
  for (const int pair : chosen) {
    chart.series.push_back({fmt::format("pair {}", pair), {}});
  }
  const RecipeTable computed(recipe, table, recipe.compute);
  CertifiedTable certified(table, study.positions);
  std::vector<double> got(table.columns.size());
  std::vector<Enclosure> truth(got.size());
  const auto count = std::min(shown, study.positions);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto position = count > 1 ? i * (study.positions - 1) / (count - 1) : 0;
    computed.row(position, got);
    certified.row(position, truth);
    chart.x_values.push_back(static_cast<double>(position));
    std::size_t series = 0;
    for (const int pair : chosen) {
      const auto column = sine_column(table, pair);
      chart.series[series++].values.push_back(
          std::ldexp(signed_error(got[column], truth[column]), precision));
    }
  }
  return line_chart(chart);
}

std::optional<Figure> drift_by_context(const std::vector<FieldEncoding>& field, std::string_view recipe) {
  ScatterChart chart;
  chart.id = "drift";
  chart.title = "What it does to attention.";
  chart.caption =
      "A mark is a model configuration; larger marks are several. The drift is how far the score of two "
      "equal "
      "vectors departs from depending on their offset alone, at the end of the context, where 1 is the score "
      "at "
      "offset 0. Configurations without any drift are not shown.";
  chart.x = {"positions examined", AxisScale::powers_of_two};
  chart.y = {"drift of the score", AxisScale::logarithmic};
  chart.groups = {{MarkTone::good, "right to 2⁻⁸ to the end"},
                  {MarkTone::bad, "runs out before the context ends"}};
  chart.point_title = "Model";
  for (const auto& one : configurations(field)) {
    const auto& entries = one.encoding->entries;
    const auto entry = std::ranges::find_if(entries, [&](const FieldEntry& candidate) {
      return candidate.recipe == recipe && candidate.stored == Format::binary32;
    });
    if (entry != entries.end() && std::isfinite(entry->drift) && entry->drift > 0) {
      chart.points.push_back({static_cast<double>(one.encoding->positions),
                              entry->drift,
                              name_of(one),
                              entry->first_unusable ? std::size_t{1} : std::size_t{0},
                              {},
                              page_of(one.model->id)});
    }
  }
  if (chart.points.empty()) {
    return std::nullopt;
  }
  return scatter_chart(chart);
}

}  // namespace vernier
