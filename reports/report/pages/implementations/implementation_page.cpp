#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/error_heat_map.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string side_effects_text(const LeagueResult& result) {
  if (result.side_effects.empty()) {
    return result.watched ? "none" : "not watched: a command has memory of its own";
  }
  return joined(
      result.side_effects, [](const SideEffect& one) { return one.evidence; }, "; ");
}

DataTable facts(const ComparedImplementation& entry) {
  const auto& result = *entry.result;
  const auto& statistics = result.statistics;
  const auto& absolute = statistics.absolute();
  return {fmt::format("{}, {}: what was measured", entry.encoding, entry.stored),
          {{"What"}, {"Value"}},
          {{"right up to position", reach_text(entry)},
           {"largest error", measure_text(absolute.greatest())},
           {"at position", count_text(absolute.greatest_place().position)},
           {"largest error in ulp", measure_text(statistics.ulps().greatest())},
           {"largest error in phase roundings", measure_text(statistics.phase_roundings().greatest())},
           {"largest share of a budget", percent_text(result.greatest_budget_ratio)},
           {"elements beyond their budget", share_text(result.failing, result.elements)},
           {"elements whose budget says nothing", share_text(result.inconclusive, result.elements)},
           {"elements compared", count_text(result.elements)},
           {"numbers that are not finite", count_text(statistics.non_finite())},
           {"side effects", side_effects_text(result)}}};
}

/// Where the errors of tables that break their contract lie.
std::string errors_figure(const ComparedImplementation& entry, std::size_t index) {
  const auto& result = *entry.result;
  const auto story = fmt::format(
      "Each cell shows the largest error of a pair at some positions, as a share of the budget. {} of the "
      "elements are beyond, within the dark line.",
      share_text(result.failing, result.elements));
  return to_html(error_heat_map("errors-" + std::to_string(index + 1),
                                fmt::format("{}, {}: where its errors lie.", entry.encoding, entry.stored),
                                story, result.errors, std::nullopt, std::nullopt));
}

/// What the history holds of one table: this run, and as many before it as can be told apart.
RunHistory last_runs(const ReportData& data, const ComparedImplementation& entry) {
  constexpr std::size_t most = 20;
  auto runs = runs_like(data.history, entry);
  runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(std::min(runs.size(), most)));
  return runs;
}

DataTable runs_table(const RunHistory& runs) {
  auto table = described_table("implementation_page/runs");
  for (auto i = runs.size(); i-- > 0;) {
    const auto shares = budget_trend({runs[i]}, "");
    table.rows.push_back({one_line(runs[i].label), runs[i].tool_version,
                          std::string(in_words(runs[i].conclusion)), budget_share_text(shares.front())});
  }
  return table;
}

/// How the share of the budget changed from run to run; false where there is but one.
Json trend(const RunHistory& runs) {
  if (runs.size() < 2) {
    return false;
  }
  const auto shares = budget_trend(runs, "");
  return {{"count", count_text(runs.size())},
          {"first", budget_share_text(shares.front())},
          {"last", budget_share_text(shares.back())},
          {"picture", trend_picture(runs, "")},
          {"runs", to_html(runs_table(runs))}};
}

Json section(const ComparedImplementation& entry, const ReportData& data, std::size_t index) {
  const auto id = "table-" + std::to_string(index + 1);
  return {{"id", id},
          {"name", entry.name},
          {"found", entry.found},
          {"stored", entry.stored},
          {"encoding", entry.encoding},
          {"positions", count_text(entry.positions)},
          {"contract", entry.contract},
          {"tag", contract_tag(entry)},
          {"class", contract_class(entry)},
          {"rotated", entry.by_rotation},
          {"meaning", meaning_of(entry, data.comparison)},
          {"figure", to_html(growth_figure({&entry}, "growth-" + std::to_string(index + 1)))},
          {"errors", entry.result->failing > 0 ? errors_figure(entry, index) : ""},
          {"trend", trend(last_runs(data, entry))},
          {"facts", to_html(facts(entry))}};
}

}  // namespace

std::vector<Page> implementation_pages(const ReportData& data) {
  const auto by_library = grouped(measured(data.comparison),
                                  [](const auto* entry) { return std::string(library_of(entry->name)); });
  return mapped(by_library, [&](const auto& library) -> Page {
    const auto& [name, entries] = library;
    Json sections = Json::array();
    for (const auto* entry : entries) {
      sections.push_back(section(*entry, data, sections.size()));
    }
    return {implementation_page_file(name),
            name,
            name,
            "implementation",
            {{"name", name}, {"sections", std::move(sections)}},
            "implementations.html",
            false};
  });
}

}  // namespace vernier
