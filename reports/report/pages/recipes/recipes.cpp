#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/report/pages/recipes/recipe_charts.hpp"
#include "reports/report/pages/recipes/served.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// More lines than a chart has room for: of the recipes that differ from others in their frequencies alone.
constexpr std::array<std::string_view, 3> in_the_table_alone{"float32-ratio-power", "float32-interpolated",
                                                             "float32-reciprocal-exp"};

/// Which lines stay below the budget. \param chart last the budget \param is_float32 of each line before it
std::string told_by_lines(const LineChart& chart, const std::vector<bool>& is_float32) {
  std::vector<std::string> above;
  for (std::size_t i = 0; i < is_float32.size(); ++i) {
    const auto& [label, values, is_budget] = chart.series[i];
    if (is_float32[i] &&
        !std::ranges::equal(values, chart.series.back().values, std::not_fn(std::greater()))) {
      above.push_back(label);
    }
  }
  const auto all = std::ranges::count(is_float32, true);
  return fmt::format(" {} of {} recipes in float32 stay below the budget of the float32 contract{}.",
                     all - std::ssize(above), all, above.empty() ? "" : "; not " + joined(above, " and "));
}

Figure error_against_position(const TableStudy& study) {
  const auto bands = bands_of(study);
  auto chart = error_chart("recipes/error_against_position", "error-" + study.id);
  chart.title = filled(chart.title, study.title);
  chart.y.low = 1e-9;
  chart.y.high = 10;
  chart.x_values = ends_of(study, bands);
  std::vector<bool> is_float32;
  for (const auto& recipe : studied_recipes()) {
    if (std::ranges::find(in_the_table_alone, recipe.id) == in_the_table_alone.end() &&
        chart.series.size() < max_series) {
      is_float32.push_back(recipe.compute() == Format::binary32);
      chart.series.push_back(
          series_of(native_entry(study, recipe.id).report, bands, recipe_words(recipe.id), greatest_error));
    }
  }
  auto budget = series_of(native_entry(study, usual_recipe).report, bands, "budget of the float32 contract",
                          [](const BandReport& band) { return band.greatest_budget; });
  budget.budget = true;
  chart.series.push_back(std::move(budget));
  chart.caption += told_by_lines(chart, is_float32);
  return line_chart(chart);
}

DataTable all_entries(const TableStudy& study) {
  auto table = described_table("recipes/all_entries", study.title, count_text(study.positions - 1));
  for (const auto& entry : study.entries) {
    const auto& report = entry.report;
    const auto& statistics = report.statistics;
    table.rows.push_back(
        {fmt::format("{}, {}", entry.recipe, traits(entry.stored).name),
         measure_text(statistics.absolute().greatest()),
         count_text(statistics.absolute().greatest_place().position),
         measure_text(statistics.phase_roundings().greatest()),
         bound_text(statistics.ulps().percentile(0.99), 3),
         share_text(statistics.correctly_rounded(), statistics.count()),
         share_text(statistics.faithful(), statistics.count()), count_text(statistics.non_finite()),
         fmt::format("{} {}", entry.contract, kept_text(report.failing, report.inconclusive)),
         report.worst ? percent_text(report.worst->budget_ratio) : "–",
         share_text(report.inconclusive, statistics.count())});
  }
  return table;
}

}  // namespace

Json recipes_content(const ReportData& data) {
  const auto row = [&](const Recipe& recipe) -> Json {
    const auto served = served_in_float32(data.field, recipe.id);
    return {{"page", recipe_page_file(recipe.id)},
            {"words", recipe_words(recipe.id)},
            {"id", recipe.id},
            {"description", recipe.description},
            {"served", served ? fmt::format("{} of {}", served->served, served->all) : std::string("–")},
            {"class", class_of(served)}};
  };
  const auto section = [](const TableStudy& study) -> Json {
    return {{"id", study.id},
            {"title", study.title},
            {"figure", to_html(error_against_position(study))},
            {"table", to_html(all_entries(study))}};
  };
  return {{"headline", headline_of_recipes(data.field)},
          {"ways", judged_ways(data.field)},
          {"served", to_html(served_by_recipe(data.field))},
          {"recipes", array_json(recipes(), row)},
          {"studies", array_json(data.tables, section)},
          {"percentile_excess", measure_text(ErrorSummary::percentile_excess)},
          {"c_library", c_library()}};
}

}  // namespace vernier
