#include "reports/report/pages/recipes/recipe_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/page_texts.hpp"

namespace vernier {
namespace {

/// The column of the sine of a pair.
std::size_t sine_column(const TrigTable& table, int pair) {
  const auto found = std::ranges::find_if(table.columns, [&](const Column& column) {
    return column.component == Component::sine && column.pair == pair;
  });
  return static_cast<std::size_t>(found - table.columns.begin());
}

}  // namespace

std::set<int> bands_of(const TableStudy& study) {
  std::set<int> bands;
  for (const auto& [band, report] : study.entries.front().report.bands) {
    bands.insert(band);
  }
  bands.erase(0);
  return bands;
}

std::vector<double> ends_of(const TableStudy& study, const std::set<int>& bands) {
  return mapped(bands, [&](int band) {
    return static_cast<double>(study.entries.front().report.bands.at(band).last_position);
  });
}

double greatest_error(const BandReport& band) {
  return band.whole().greatest_error;
}

Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&)) {
  return {std::move(label), mapped(bands, [&](int band) {
            const auto found = report.bands.find(band);
            const bool there = found != report.bands.end() && found->second.whole().finite > 0;
            return there ? measure(found->second) : std::numeric_limits<double>::quiet_NaN();
          })};
}

LineChart error_chart(const std::string& name, const std::string& id) {
  auto chart = described_chart<LineChart>(name, id);
  chart.thresholds = {{0x1p-8, "2⁻⁸, a step of bfloat16"}, {0x1p-11, "2⁻¹¹, a step of float16"}};
  return chart;
}

std::string_view kept_text(std::uint64_t failing, std::uint64_t inconclusive) {
  return failing > 0 ? "broken" : inconclusive == 0 ? "kept" : "kept where conclusive";
}

Figure signed_errors(const TableStudy& study, const Recipe& recipe) {
  constexpr std::int64_t shown = 300;
  const auto& table = study.table;
  const int pairs = table.frequencies.pairs();
  // Slow enough that the positions shown follow their turns.
  const std::set<int> chosen{pairs / 2, 5 * pairs / 8, 3 * pairs / 4};
  auto chart = described_chart<LineChart>("recipe_charts/signed_errors");
  chart.caption = filled(chart.caption, study.title, std::min(shown, study.positions));
  // In units of the format, as numbers near 1e-8 are hard to read along an axis.
  const int precision = traits(recipe.compute()).precision;
  chart.y = {"error, in units of 2" + power_of_ten(-precision).substr(2)};
  for (const int pair : chosen) {
    chart.series.push_back({fmt::format("pair {}", pair), {}});
  }
  const RecipeTable computed(recipe, table, recipe.compute());
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

}  // namespace vernier
