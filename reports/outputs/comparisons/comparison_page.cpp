#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/html/charts/sparkline.hpp"
#include "reports/html/site.hpp"
#include "reports/html/table.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// The class of the style sheet that colours a change.
std::string_view class_of(Change change) {
  // worse, gone, added, better, same
  static constexpr std::array<std::string_view, 5> classes{"fail", "inconclusive", "inconclusive", "pass",
                                                           "skipped"};
  return classes[static_cast<std::size_t>(change)];
}

/// Why a check changed, where it changed most; else why it does not pass.
std::string explanation_of(const ComparedVerdicts& verdicts, const ComparedCheck& check) {
  if (check.change != Change::same) {
    const auto label = check.changes.size() == 1 ? "" : verdicts.documents[check.worst + 1].label + ": ";
    return label + check_change_text(*check.changes[check.worst]);
  }
  const auto* last = check.states.back();
  return last != nullptr && last->status != Status::pass ? last->reason : "";
}

/// The row of a check: its state in each verdict.
Json row_json(const ComparedVerdicts& verdicts, const ComparedCheck& check) {
  Json cells = Json::array();
  const auto add = [&](const std::string& text, Change change) {
    cells.push_back({{"text", one_line(text)},
                     {"is_changed", change != Change::same},
                     {"change", to_string(change)},
                     {"class", class_of(change)}});
  };
  for (std::size_t i = 0; i < check.states.size(); ++i) {
    const auto* change = i == 0 ? nullptr : check.changes[i - 1];
    add(state_text(check.states[i]), change == nullptr ? Change::same : change->change);
  }
  const auto* last = check.states.back();
  const auto explanation = one_line(explanation_of(verdicts, check));
  const bool has_trend = verdicts.history.size() > 1 && last != nullptr && last->budget_ratio();
  return {{"id", one_line(check.id)},
          {"cells", cells},
          {"explanation", explanation},
          {"has_trend", verdicts.history.size() > 1},
          {"trend", has_trend ? trend_picture(verdicts.history, check.id) : ""}};
}

DataTable documents_table(const ComparedVerdicts& verdicts) {
  DataTable table{
      "The verdicts", {{"Verdict"}, {"File"}, {"Says"}, {"Case"}, {"Made by"}, {"Worse checks", true}}, {}};
  for (std::size_t i = 0; i < verdicts.documents.size(); ++i) {
    const auto& document = verdicts.documents[i];
    table.rows.push_back({one_line(document.label), one_line(document.source),
                          std::string(in_words(document.conclusion)), one_line(document.name),
                          one_line(document.producer),
                          i == 0 ? "" : std::to_string(verdicts.with_first[i - 1].count(Change::worse))});
  }
  return table;
}

/// A table of checks. \param caption of what
Json table_json(const ComparedVerdicts& verdicts, const std::string& caption,
                std::span<const ComparedCheck> checks) {
  const auto heading = [](const VerdictDocument& document) { return one_line(document.label); };
  const auto row = [&](const ComparedCheck& check) { return row_json(verdicts, check); };
  return {{"caption", caption},
          {"headings", array_json(verdicts.documents, heading)},
          {"has_trend", verdicts.history.size() > 1},
          {"rows", array_json(checks, row)}};
}

}  // namespace

std::string trend_picture(const RunHistory& history, std::string_view id) {
  const auto trend = budget_trend(history, id);
  const auto words = joined(trend, budget_share_text, ", ");
  return sparkline(trend, "share of the budget: " + words);
}

std::string comparison_page(const ComparedVerdicts& verdicts) {
  const auto checks = ranked_checks(verdicts);
  const auto first_same = std::ranges::find(checks, Change::same, &ComparedCheck::change);
  const std::span changed(checks.begin(), first_same);
  const std::span same(first_same, checks.end());
  const auto& last = verdicts.documents.back();
  const bool has_trend = verdicts.history.size() > 1;
  const Json content{{"finding", comparison_headline(verdicts)},
                     {"has_summary", verdicts.documents.size() == 2},
                     {"summary", one_line(last.summary)},
                     {"documents", to_html(documents_table(verdicts))},
                     {"notes", all_notes(verdicts)},
                     {"has_changed", !changed.empty()},
                     {"changed", table_json(verdicts, "Checks that changed, the worst first", changed)},
                     {"has_same", !same.empty()},
                     {"same_count", fmt::format("{}", same.size())},
                     {"same", table_json(verdicts, "Checks that are the same", same)},
                     {"has_trend", has_trend},
                     {"runs", fmt::format("{}", verdicts.history.size())},
                     {"trend", has_trend ? trend_picture(verdicts.history, "") : ""}};
  const SiteInfo info{"Vernier comparison", std::string(version()), one_line(last.seed)};
  return render_self_contained(info,
                               {"comparison.html", "Verdicts compared", "Comparison", "compare", content});
}

}  // namespace vernier
