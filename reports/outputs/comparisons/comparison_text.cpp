#include <algorithm>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/outputs/text/lines.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// So that all fits on one screen.
constexpr std::size_t most_checks = 16;
constexpr std::size_t most_trends = 4;
constexpr std::size_t most_runs = 8;

std::string document_text_line(std::string_view title, const VerdictDocument& document) {
  const auto producer = document.producer.empty() ? "" : ", made by " + one_line(document.producer);
  return lines_text(fitted(fmt::format("{}  {}: {} {}{}", title, one_line(document.source),
                                       one_line(document.name), in_words(document.conclusion), producer),
                           detail_indent, 1));
}

std::string notes_text(const ComparedVerdicts& verdicts) {
  std::string text;
  for (const auto& note : all_notes(verdicts)) {
    text += lines_text(wrapped("note: " + note, detail_indent));
  }
  return text;
}

std::string figures_text(const CheckChange& check) {
  std::string text;
  for (const auto& [figure, before, after, change] : check.figures) {
    const auto [was, is] = told_apart(before, after, shown_digits);
    text += fmt::format("            {} {}", figure->name, is) +
            (change == Change::same ? "\n" : fmt::format(", was {} ({})\n", was, to_string(change)));
  }
  return text;
}

/// A cell of a table of many verdicts. \param change null of the first
std::string cell_text(const CheckRecord* state, const CheckChange* change) {
  const bool is_marked = change != nullptr && change->change != Change::same;
  if (is_marked && change->change == Change::gone) {
    return state == nullptr ? "gone" : state_text(state);
  }
  return state_text(state) + (is_marked ? fmt::format(" ({})", to_string(change->change)) : "");
}

std::string check_text(const CheckChange& check, bool in_full) {
  const auto words =
      fmt::format("{:<6}  {}: {}{}", to_string(check.change), one_line(check.id), check_change_text(check),
                  check.figures_count || check.figures.empty() ? "" : " (other elements)");
  return lines_text(in_full ? wrapped(words, detail_indent) : fitted(words, detail_indent, 2)) +
         (in_full ? figures_text(check) : "");
}

/// Why cells of the table are marked, a line for each.
std::string marks_text(const std::vector<ComparedCheck>& checks) {
  std::string text;
  for (const auto& check : checks) {
    for (std::size_t i = 0; i < check.changes.size(); ++i) {
      if (const auto* change = check.changes[i]; change != nullptr && change->change != Change::same) {
        text += lines_text(wrapped(fmt::format("{:<6}  {} in {}: {}", to_string(change->change),
                                               one_line(check.id), i + 2, check_change_text(*change)),
                                   detail_indent));
      }
    }
  }
  return text;
}

/// The checks of two verdicts.
std::string two_text(const ComparedVerdicts& verdicts, const std::vector<ComparedCheck>& checks,
                     bool in_full) {
  std::string text;
  std::size_t shown = 0;
  std::size_t changed = 0;
  for (const auto& check : checks) {
    const bool is_same = check.change == Change::same;
    changed += is_same ? 0 : 1;
    if (in_full || (!is_same && shown < most_checks)) {
      text += check_text(*check.changes.front(), in_full);
      ++shown;
    }
  }
  if (!in_full && changed > shown) {
    text += fmt::format("  and {} more that changed: see --verbose\n", changed - shown);
  }
  const auto& [before, after] = std::tie(verdicts.documents[0], verdicts.documents[1]);
  return document_text_line("before", before) + document_text_line("after ", after) +
         (after.conclusion == Conclusion::conforms
              ? ""
              : lines_text(fitted(one_line(after.summary), detail_indent, 2))) +
         notes_text(verdicts) + text;
}

/// The checks of many verdicts: a column for each verdict.
std::string many_text(const ComparedVerdicts& verdicts, const std::vector<ComparedCheck>& checks,
                      bool in_full) {
  std::string text;
  for (std::size_t i = 0; i < verdicts.documents.size(); ++i) {
    text += document_text_line(fmt::format("{:>2}", i + 1), verdicts.documents[i]);
  }
  text += notes_text(verdicts);
  std::vector<Lines> rows{{"check"}};
  for (std::size_t i = 0; i < verdicts.documents.size(); ++i) {
    rows.front().push_back(std::to_string(i + 1));
  }
  std::size_t left_out = 0;
  for (const auto& check : checks) {
    if (!in_full && (check.change == Change::same || rows.size() > most_checks)) {
      ++left_out;
      continue;
    }
    auto& row = rows.emplace_back(Lines{one_line(check.id)});
    for (std::size_t i = 0; i < check.states.size(); ++i) {
      row.push_back(cell_text(check.states[i], i == 0 ? nullptr : check.changes[i - 1]));
    }
  }
  text += rows.size() == 1 ? "" : aligned(rows);
  if (in_full) {
    return text + marks_text(checks);
  }
  return left_out == 0
             ? text
             : text + fmt::format("  {}{}: see --verbose\n", counted(left_out, "more check", "more checks"),
                                  rows.size() > most_checks ? "" : ", the same in all");
}

/// How much of the budget the last runs used.
std::string trend_line(const RunHistory& history, std::string_view id) {
  auto trend = budget_trend(history, id);
  trend.erase(trend.begin(), trend.end() - static_cast<std::ptrdiff_t>(std::min(trend.size(), most_runs)));
  return lines_text(fitted(fmt::format("trend   {}: {}", id.empty() ? "the worst of all" : one_line(id),
                                       joined(trend, budget_share_text, ", ")),
                           detail_indent, 1));
}

std::string trends_text(const ComparedVerdicts& verdicts, const std::vector<ComparedCheck>& checks) {
  if (verdicts.history.size() < 2) {
    return "";
  }
  std::string text = trend_line(verdicts.history, "");
  std::size_t shown = 0;
  for (const auto& check : checks) {
    const auto* last = check.states.back();
    if (check.change != Change::same && last != nullptr && last->budget_ratio() && shown++ < most_trends) {
      text += trend_line(verdicts.history, check.id);
    }
  }
  return text;
}

}  // namespace

std::string comparison_text(const ComparedVerdicts& verdicts, bool in_full) {
  const auto checks = ranked_checks(verdicts);
  return comparison_headline(verdicts) + "\n" +
         (verdicts.documents.size() == 2 ? two_text(verdicts, checks, in_full)
                                         : many_text(verdicts, checks, in_full)) +
         trends_text(verdicts, checks);
}

}  // namespace vernier
