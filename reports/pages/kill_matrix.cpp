#include "reports/kill_matrix/kill_matrix.hpp"

#include <algorithm>

#include "reference/word_list.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/kill_matrix/project.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

using kill_matrix::Fate;
using kill_matrix::KillMatrix;
using kill_matrix::Naming;
using kill_matrix::Outcome;

std::string share_text(std::size_t part, std::size_t whole) {
  return whole == 0 ? "–"
                    : number_text(100.0 * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

DataTable faults_table(const KillMatrix& matrix) {
  DataTable table{"Mutants by fault",
                  {{"Fault"},
                   {"Mutants", true},
                   {"Caught", true},
                   {"Named", true},
                   {"Named in part", true},
                   {"Unexplained", true},
                   {"Falsely named", true}},
                  {}};
  const auto add = [&](std::string name, const kill_matrix::KindCount& count) {
    std::vector<std::string> row{std::move(name)};
    for (const auto number :
         {count.mutants, count.caught, count.named, count.in_part, count.unexplained, count.falsely_named}) {
      row.push_back(std::to_string(number));
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

DataTable killers_table(std::string caption, std::string heading,
                        const std::vector<kill_matrix::KillerCount>& counts) {
  DataTable table{std::move(caption),
                  {{std::move(heading)},
                   {"Mutants tested", true},
                   {"Caught", true},
                   {"Share", true},
                   {"By it alone", true},
                   {"Honest tested", true},
                   {"False alarms", true}},
                  {}};
  for (const auto& count : counts) {
    table.rows.push_back({count.name, std::to_string(count.tested), std::to_string(count.caught),
                          share_text(count.caught, count.tested), std::to_string(count.alone),
                          std::to_string(count.honest), std::to_string(count.alarms)});
  }
  return table;
}

DataTable projects_table() {
  DataTable table{"How the tests of projects are re-enacted", {{"Project"}, {"Source"}, {"Test"}}, {}};
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
  DataTable table{"What is not killed", {{"Fault"}, {"Implementation"}, {"Verdict"}, {"Reason"}}, {}};
  for (const auto& one : matrix.mutants) {
    if (!one.caught()) {
      table.rows.push_back({fault_words(one), one.words,
                            one.fate == Fate::conforms ? "conforms" : "undecided", reason_of(one)});
    }
  }
  if (table.rows.empty()) {
    table.rows.push_back({"none", "–", "–", "–"});
  }
  return table;
}

DataTable untrue_table(const KillMatrix& matrix) {
  DataTable table{"What is said untruly", {{"Implementation"}, {"Fault"}, {"Said"}}, {}};
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
  if (table.rows.empty()) {
    table.rows.push_back({"none", "–", "–"});
  }
  return table;
}

DataTable open_table(const KillMatrix& matrix) {
  DataTable table{"What is not named, or in part", {{"Implementation"}, {"Fault"}, {"Said"}}, {}};
  for (const auto& one : matrix.mutants) {
    if (is_left_open(one)) {
      const auto said = joined(one.told);
      table.rows.push_back({one.words, fault_words(one),
                            !said.empty()       ? said
                            : one.is_nameable() ? "–"
                                                : "–, and should not be"});
    }
  }
  if (table.rows.empty()) {
    table.rows.push_back({"none", "–", "–"});
  }
  return table;
}

Json kill_matrix_content(const ReportData& data) {
  const auto& matrix = data.kills;
  const auto all = count_all(matrix.mutants);
  const auto nameable = count_nameable(matrix.mutants);
  const auto together = count_by_project(matrix).back();
  return {{"mutants", all.mutants},
          {"honest", matrix.honest.size()},
          {"kinds", kill_matrix::stored_kinds().size()},
          {"seed", std::to_string(matrix.options.drawn.seed)},
          {"longest", matrix.options.drawn.longest},
          {"elements", matrix.options.drawn.elements},
          {"caught", all.caught},
          {"nameable", nameable.mutants},
          {"named", nameable.named},
          {"together_tested", together.tested},
          {"together", together.caught},
          {"faults", to_html(faults_table(matrix))},
          {"checks", to_html(killers_table("Checks of Vernier", "Check", count_by_check(matrix)))},
          {"tests", to_html(killers_table("Tests of projects", "Project", count_by_project(matrix)))},
          {"projects", to_html(projects_table())},
          {"survivors", to_html(survivors_table(matrix))},
          {"untrue", to_html(untrue_table(matrix))},
          {"open", to_html(open_table(matrix))},
          {"median", number_text(quantile_of_seconds(matrix, 0.5), 2)},
          {"most", number_text(quantile_of_seconds(matrix, 0.95), 2)}};
}

}  // namespace

Page<ReportData> kill_matrix_page() {
  return {"kill-matrix.html", "Which faults are caught", "Kill matrix",
          "kill_matrix",      kill_matrix_content,       "reference.html"};
}

}  // namespace vernier
