#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/report/pages/recipes/recipe_charts.hpp"
#include "reports/report/pages/recipes/served.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

bool is_studied(const TableStudy& study, std::string_view recipe) {
  return std::ranges::find(study.entries, recipe, &StudyEntry::recipe) != study.entries.end();
}

Figure growth(const std::vector<TableStudy>& tables, std::string_view recipe) {
  const auto& longest = *std::ranges::max_element(tables, {}, &TableStudy::positions);
  const auto bands = bands_of(longest);
  auto chart = error_chart("recipe_page/growth");
  chart.x_values = ends_of(longest, bands);
  chart.series = mapped(tables, [&](const TableStudy& study) {
    return series_of(native_entry(study, recipe).report, bands, study.title, greatest_error);
  });
  return line_chart(chart);
}

DataTable studied(const std::vector<TableStudy>& tables, std::string_view recipe) {
  auto table = described_table("recipe_page/studied");
  for (const auto& study : tables) {
    for (const auto& entry : study.entries) {
      if (entry.recipe == recipe) {
        const auto& absolute = entry.report.statistics.absolute();
        table.rows.push_back(
            {study.title, std::string(traits(entry.stored).name), measure_text(absolute.greatest()),
             count_text(absolute.greatest_place().position),
             fmt::format("{} {}", entry.contract, kept_text(entry.report.failing, entry.report.inconclusive)),
             entry.report.worst ? percent_text(entry.report.worst->budget_ratio) : "–"});
      }
    }
  }
  return table;
}

/// The column of the sine of a pair.
std::size_t sine_column(const TrigTable& table, int pair) {
  const auto found = std::ranges::find_if(table.columns, [&](const Column& column) {
    return column.component == Component::sine && column.pair == pair;
  });
  return static_cast<std::size_t>(found - table.columns.begin());
}

/// Errors of the sines of some pairs with their signs, at positions spread over a table.
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

/// The configurations that it does not serve to the end.
Json unserved(const std::vector<FieldEncoding>& field, std::string_view recipe) {
  Json result = Json::array();
  for (const auto& one : configurations(field)) {
    const auto& entry = field_entry(*one.encoding, recipe, Format::binary32);
    if (entry.first_unusable) {
      result.push_back({{"name", name_of(one)},
                        {"page", one.page},
                        {"reach", count_text(*entry.first_unusable)},
                        {"context", count_text(one.model->context)}});
    }
  }
  return result;
}

/// What becomes of models, in a sentence.
std::string finding(const Served& served) {
  const auto repeats = served.first_repeated
                           ? fmt::format(" Rows repeat from position {} on: two tokens, one encoding.",
                                         count_text(*served.first_repeated))
                           : std::string();
  return fmt::format(
      "It stays within a step of bfloat16 in {} of {} model configurations at all examined positions.{}",
      served.served, served.all, repeats);
}

Page page(const Recipe& recipe, const ReportData& data) {
  const bool has_study = !data.tables.empty() && is_studied(data.tables.front(), recipe.id);
  const auto served = served_in_float32(data.field, recipe.id);
  const auto models = served ? unserved(data.field, recipe.id) : Json::array();
  const auto words = recipe_words(recipe.id);
  const Json content{{"words", words},
                     {"id", recipe.id},
                     {"description", recipe.description},
                     {"contract", recipe.contract},
                     {"has_models", served.has_value()},
                     {"class", class_of(served)},
                     {"finding", served ? finding(*served) : std::string()},
                     {"unserved", models},
                     {"unserved_count", count_text(models.size())},
                     {"has_study", has_study},
                     {"figure", has_study ? to_html(growth(data.tables, recipe.id)) : ""},
                     {"signed", has_study ? to_html(signed_errors(data.tables.back(), recipe)) : ""},
                     {"table", has_study ? to_html(studied(data.tables, recipe.id)) : ""}};
  return {recipe_page_file(recipe.id), words, words, "recipe", content, "recipes.html", false};
}

}  // namespace

std::vector<Page> recipe_pages(const ReportData& data) {
  return mapped(recipes(), [&](const Recipe& recipe) { return page(recipe, data); });
}

}  // namespace vernier
