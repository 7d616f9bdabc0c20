#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/c_library.hpp"
#include "reports/html/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/pages/pages.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// More lines than a chart has room for: of the recipes that differ from others in their frequencies alone.
constexpr std::array<std::string_view, 2> in_the_table_alone{"float32-ratio-power", "float32-interpolated"};

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

/// The bands of all positions but 0, which every recipe gets exactly.
std::set<int> bands_of(const TableStudy& study) {
  std::set<int> bands;
  for (const auto& [band, report] : study.entries.front().report.bands) {
    if (band > 0) {
      bands.insert(band);
    }
  }
  return bands;
}

Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&)) {
  Series series{std::move(label), {}};
  for (const int band : bands) {
    const auto found = report.bands.find(band);
    const bool there = found != report.bands.end() && found->second.whole().finite > 0;
    series.values.push_back(there ? measure(found->second) : not_there);
  }
  return series;
}

Figure error_against_position(const TableStudy& study) {
  const auto bands = bands_of(study);
  LineChart chart;
  chart.id = "error-" + study.id;
  chart.title = study.title + ".";
  chart.caption =
      "The largest error of any element at positions of about this size, for each recipe in its own format. "
      "In float32 "
      "every direct recipe grows with the position along the same line, a little below the budget of the "
      "float32 contract; what "
      "tells them apart is the format of the phase. A line that ends early has no finite values beyond. "
      "Recipes "
      "with a contract of their own for frequencies alone are in the table.";
  chart.x = {"position", AxisScale::logarithmic};
  chart.y = {"largest absolute error", AxisScale::logarithmic};
  for (const int band : bands) {
    chart.x_values.push_back(static_cast<double>(study.entries.front().report.bands.at(band).last_position));
  }
  for (const auto& recipe : studied_recipes()) {
    if (std::ranges::find(in_the_table_alone, recipe.id) != in_the_table_alone.end()) {
      continue;
    }
    chart.series.push_back(series_of(native_entry(study, recipe.id).report, bands, std::string(recipe.id),
                                     [](const BandReport& band) { return band.whole().greatest_error; }));
  }
  auto budget = series_of(native_entry(study, "float32-pow").report, bands, "budget of the float32 contract",
                          [](const BandReport& band) { return band.greatest_budget; });
  budget.budget = true;
  chart.series.push_back(std::move(budget));
  return line_chart(chart);
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return number_text(100 * static_cast<double>(part) / static_cast<double>(whole), 4) + " %";
}

std::string kept(const AuditReport& report) {
  if (report.failing > 0) {
    return "broken";
  }
  return report.inconclusive == 0 ? "kept" : "kept where it says anything";
}

DataTable all_entries(const TableStudy& study) {
  DataTable table{
      fmt::format(
          "{}, every position from 0 to {}: proved, as every element was compared with certified truth",
          study.title, study.positions - 1),
      {{"Recipe, stored as"},
       {"Largest error", true},
       {"at position", true},
       {"phase roundings", true},
       {"99 % of errors below (upper bound), ulp", true},
       {"Correctly rounded", true},
       {"Faithful", true},
       {"Not finite", true},
       {"Contract"},
       {"Budget used", true},
       {"Inconclusive", true}},
      {}};
  for (const auto& entry : study.entries) {
    const auto& report = entry.report;
    const auto& statistics = report.statistics;
    table.rows.push_back({fmt::format("{}, {}", entry.recipe, traits(entry.stored).name),
                          number_text(statistics.absolute().greatest(), 3),
                          std::to_string(statistics.absolute().greatest_place().position),
                          number_text(statistics.phase_roundings().greatest(), 3),
                          bound_text(statistics.ulps().percentile(0.99), 3),
                          share_text(statistics.correctly_rounded(), statistics.count()),
                          share_text(statistics.faithful(), statistics.count()),
                          std::to_string(statistics.non_finite()),
                          fmt::format("{} {}", entry.contract, kept(report)),
                          report.worst ? number_text(report.worst->budget_ratio, 3) : "–",
                          share_text(report.inconclusive, statistics.count())});
  }
  return table;
}

DataTable recipe_key() {
  DataTable table{"The recipes", {{"Recipe"}, {"What it does"}, {"Contract"}}, {}};
  for (const auto& recipe : studied_recipes()) {
    table.rows.push_back(
        {std::string(recipe.id), std::string(recipe.description), std::string(recipe.contract)});
  }
  return table;
}

Json accuracy_content(const ReportData& data) {
  Json sections = Json::array();
  for (const auto& study : data.tables) {
    sections.push_back({{"id", study.id},
                        {"title", study.title},
                        {"figure", to_html(error_against_position(study))},
                        {"table", to_html(all_entries(study))}});
  }
  return {{"recipes", to_html(recipe_key())},
          {"studies", sections},
          {"percentile_excess", number_text(ErrorSummary::percentile_excess, 3)},
          {"c_library", c_library()}};
}

}  // namespace

Page<ReportData> accuracy_page() {
  return {"accuracy.html", "Accuracy of the recipes", "Accuracy", "accuracy", accuracy_content};
}

}  // namespace vernier
