#include "reports/measures/kill_matrix/kill_matrix.hpp"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/measures/kill_matrix/project.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

using kill_matrix::Fate;
using kill_matrix::KillMatrix;
using kill_matrix::Naming;
using kill_matrix::Outcome;

std::string text_of(std::size_t count) {
  return count_text(static_cast<std::int64_t>(count));
}

std::string mutants_share_text(std::size_t part, std::size_t whole) {
  return whole == 0 ? "–"
                    : number_text(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

DataTable faults_table(const KillMatrix& matrix) {
  auto table = described_table("kill_matrix/faults");
  const auto add = [&](std::string name, const kill_matrix::KindCount& count) {
    std::vector<std::string> row{std::move(name)};
    for (const auto number :
         {count.mutants, count.caught, count.named, count.in_part, count.unexplained, count.falsely_named}) {
      row.push_back(text_of(number));
    }
    table.rows.push_back(std::move(row));
  };
  add("all mutants", count_all(matrix.mutants));
  add("those that a computation can predict", count_nameable(matrix.mutants));
  for (const auto& count : count_by_kind(matrix.mutants)) {
    const auto kind = std::ranges::find(rates::faults(), count.kind, &rates::Fault::id);
    add(std::string(kind->description), count);
  }
  return table;
}

DataTable killers_table(std::string_view caption, std::string heading,
                        const std::vector<kill_matrix::KillerCount>& counts) {
  auto table = described_table("kill_matrix/killers", caption);
  table.columns.front().heading = std::move(heading);
  for (const auto& count : counts) {
    table.rows.push_back({count.name, text_of(count.tested), text_of(count.caught),
                          mutants_share_text(count.caught, count.tested), text_of(count.alone),
                          text_of(count.honest), text_of(count.alarms)});
  }
  return table;
}

DataTable projects_table() {
  auto table = described_table("kill_matrix/projects");
  for (const auto& test : kill_matrix::project_tests()) {
    table.rows.push_back({std::string(test.project), std::string(test.source), std::string(test.method)});
  }
  return table;
}

std::string reason_of(const Outcome& one) {
  if (!one.finding.empty()) {
    return one.finding;
  }
  return one.fate == Fate::conforms ? "every element is within its budget" : "";
}

DataTable survivors_table(const KillMatrix& matrix) {
  auto table = described_table("kill_matrix/survivors");
  for (const auto& one : matrix.mutants) {
    if (!one.caught()) {
      table.rows.push_back({fault_words(one), one.words,
                            one.fate == Fate::conforms ? "conforms" : "undecided", reason_of(one)});
    }
  }
  return table;
}

DataTable untrue_table(const KillMatrix& matrix) {
  auto table = described_table("kill_matrix/untrue");
  for (const auto* group : {&matrix.mutants, &matrix.honest}) {
    for (const auto& one : *group) {
      const bool is_honest = one.faults.empty();
      const bool is_alarm = is_honest && (one.fate == Fate::refused || !one.told.empty());
      if (is_alarm || (!is_honest && one.naming == Naming::falsely_named)) {
        table.rows.push_back({one.words, is_honest ? "none" : fault_words(one),
                              one.told.empty() ? one.finding : joined(one.told)});
      }
    }
  }
  return table;
}

DataTable open_table(const KillMatrix& matrix) {
  auto table = described_table("kill_matrix/open");
  for (const auto& one : matrix.mutants) {
    if (is_left_open(one)) {
      const auto said = joined(one.told);
      table.rows.push_back({one.words, fault_words(one),
                            !said.empty()       ? said
                            : one.is_nameable() ? "–"
                                                : "–, and should not be"});
    }
  }
  return table;
}

/// What Vernier catches, and what the projects' tests do. \param projects last all of them together
Figure catches(const KillMatrix& matrix, std::span<const kill_matrix::KillerCount> projects) {
  auto chart = described_chart<BarChart>("kill_matrix/catches");
  const auto all = count_all(matrix.mutants);
  chart.bars.push_back({"Vernier", all.caught, all.mutants, {}, MarkTone::good});
  const auto add = [&](const kill_matrix::KillerCount& tests, std::string label) {
    if (tests.tested > 0) {
      chart.bars.push_back({std::move(label), tests.caught, tests.tested,
                            fmt::format("{} of {} honest ones refused", tests.alarms, tests.honest),
                            MarkTone::neutral});
    }
  };
  add(projects.back(), "the projects' tests together");
  for (const auto& project : projects.first(projects.size() - 1)) {
    add(project, project.name);
  }
  return bar_chart(chart);
}

/// A list that may be empty, folded beneath a line that counts it.
Json folded(std::string summary, const DataTable& table) {
  return {{"summary", std::move(summary)}, {"table", to_html(table)}};
}

/// What a reader should know of before all numbers: what is not caught, and what is said untruly.
Json faults_of_vernier(const DataTable& survivors, const DataTable& untrue) {
  Json result = Json::array();
  for (const auto* table : {&survivors, &untrue}) {
    if (!table->rows.empty()) {
      result.push_back({{"table", to_html(*table)}});
    }
  }
  return result;
}

/// Those in which a fault puts some element beyond its budget, as nearly all are drawn.
std::size_t beyond_by_construction(const KillMatrix& matrix) {
  return static_cast<std::size_t>(std::ranges::count_if(matrix.mutants, [](const Outcome& one) {
    return std::ranges::any_of(one.faults, [](const auto& fault) { return fault.size > 1; });
  }));
}

std::string kill_matrix_headline(const kill_matrix::KillerCount& together, const KillMatrix& matrix) {
  const auto refused = std::ranges::count(matrix.honest, Fate::refused, &Outcome::fate);
  return fmt::format(
      "Tests of projects catch {} of {} faulty implementations that they are for; Vernier catches {} of {}, "
      "{} by construction, and refuses {} of {} honest ones",
      together.caught, together.tested, count_all(matrix.mutants).caught, matrix.mutants.size(),
      beyond_by_construction(matrix), refused == 0 ? "none" : std::to_string(refused), matrix.honest.size());
}

Json kill_matrix_content(const ReportData& data) {
  const auto& matrix = data.kills;
  const auto nameable = count_nameable(matrix.mutants);
  const auto projects = count_by_project(matrix);
  const auto& together = projects.back();
  const auto survivors = survivors_table(matrix);
  const auto untrue = untrue_table(matrix);
  const auto open = open_table(matrix);
  Json folds = Json::array();
  folds.push_back(folded("Every kind of fault: caught, and called by its name", faults_table(matrix)));
  folds.push_back(folded("Which check of Vernier catches how many",
                         killers_table("Checks of Vernier", "Check", count_by_check(matrix))));
  folds.push_back(folded("Which project's tests catch how many",
                         killers_table("Tests of projects", "Project", projects)));
  folds.push_back(folded("How the tests of projects are repeated here", projects_table()));
  if (!open.rows.empty()) {
    folds.push_back(
        folded(fmt::format("{} caught, and not called by {} full name",
                           counted(open.rows.size(), "is", "are"), open.rows.size() == 1 ? "its" : "their"),
               open));
  }
  const auto bad = faults_of_vernier(survivors, untrue);
  return {{"any", !matrix.mutants.empty()},
          {"headline", kill_matrix_headline(together, matrix)},
          {"figure", matrix.mutants.empty() ? "" : to_html(catches(matrix, projects))},
          {"mutants", matrix.mutants.size()},
          {"honest", matrix.honest.size()},
          {"drawn_kinds", count_by_kind(matrix.mutants).size()},
          {"kinds", kill_matrix::stored_kinds().size()},
          {"by_construction", beyond_by_construction(matrix)},
          {"seed", std::to_string(matrix.options.drawn.seed)},
          {"longest", count_text(matrix.options.drawn.longest)},
          {"elements", count_text(matrix.options.drawn.elements)},
          {"nameable", nameable.mutants},
          {"named", nameable.named},
          {"bad", bad},
          {"folds", std::move(folds)},
          {"median", number_text(quantile_of_seconds(matrix, 0.5), 2)},
          {"most", number_text(quantile_of_seconds(matrix, 0.95), 2)}};
}

}  // namespace

Page<ReportData> kill_matrix_page() {
  return {"kill-matrix.html", "Which faults are caught", "Kill matrix",
          "kill_matrix",      kill_matrix_content,       "reference.html"};
}

}  // namespace vernier
