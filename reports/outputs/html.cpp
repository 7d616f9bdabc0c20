#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include <fmt/core.h>

#include "reference/counted.hpp"
#include "reports/checks/elements.hpp"
#include "reports/diagnosis_text.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/quantity_text.hpp"
#include "reports/html/site.hpp"
#include "reports/html/table.hpp"
#include "reports/outputs/asking.hpp"
#include "reports/outputs/badge.hpp"
#include "reports/outputs/element_figures.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/visible.hpp"
#include "reports/value_text.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

/// What one element is told by, in the order of witness_rows().
std::vector<std::string> witness_values(const ElementWitness& e) {
  const std::string component =
      e.meaning.component == Component::sine     ? "sine of pair " + std::to_string(e.meaning.pair)
      : e.meaning.component == Component::cosine ? "cosine of pair " + std::to_string(e.meaning.pair)
                                                 : "padding";
  return {e.real_position.value_or(count_text(e.position)),
          fmt::format("{}, {}", to_string(RowPlace{e.leading_index, e.row}), e.column),
          component,
          e.truth,
          e.expected ? exact_text(e.format, *e.expected) : "undecided",
          exact_text(e.format, e.got),
          measure_text(e.absolute),
          measure_text(e.ulps),
          measure_text(e.phase_roundings),
          fmt::format("{}, {}, {}", measure_text(e.budget.phase), measure_text(e.budget.trig),
                      measure_text(e.budget.storage)),
          e.budget_ratio <= 1 ? percent_text(e.budget_ratio)
                              : measure_text(e.budget_ratio) + " times the budget"};
}

/// The first failing element and the worst one beside each other; one column where they are the same.
DataTable witness_table(const Check& check) {
  constexpr std::array names{"position",
                             "row, column",
                             "component",
                             "truth",
                             "expected",
                             "got",
                             "absolute error",
                             "error in ulp",
                             "phase roundings",
                             "budget: phase, trigonometry, storage",
                             "share of the budget used"};
  const auto& first = check.first_failing;
  const auto& worst = check.worst;
  DataTable table{check.id + ": the elements that show it", {{"What"}}, {}};
  std::vector<std::vector<std::string>> columns;
  if (first) {
    const bool both = worst && is_same(*first, *worst);
    table.columns.push_back({both ? "First failing, and worst" : "First failing"});
    columns.push_back(witness_values(*first));
  }
  if (worst && !(first && is_same(*first, *worst))) {
    table.columns.push_back({"Worst"});
    columns.push_back(witness_values(*worst));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> row{names[i]};
    for (const auto& column : columns) {
      row.push_back(column[i]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

DataTable split_table(const std::string& id, const ErrorSplit& split) {
  DataTable table{
      fmt::format("{}: the stages that errors of at most {} stem from", id,
                  number_text(split.greatest, shown_digits)),
      {{"Stage"}, {"Share of the squares", true}, {"At most", true}, {"Left at most, were it exact", true}},
      {}};
  for (const auto& [stage, share, greatest, left] : split.stages) {
    table.rows.push_back({std::string(stage), fmt::format("{} %", std::lround(100 * share)),
                          number_text(greatest, shown_digits), number_text(left, shown_digits)});
  }
  return table;
}

/// What a waived check tells of its waiver; false of any other check.
OrderedJson waiver_json(const Check& check) {
  if (!check.waiver) {
    return false;
  }
  return {{"reason", check.waiver->reason},
          {"issue", check.waiver->issue},
          {"expires", check.waiver->expires},
          {"ceiling", check.waiver->ceiling},
          {"failure", check.waiver->failure}};
}

std::string_view tone_of(Status status) {
  switch (status) {
    case Status::pass:
      return "good";
    case Status::fail:
    case Status::error:
      return "bad";
    case Status::waived:
    case Status::inconclusive:
      return "neutral";
    case Status::skipped:
      break;
  }
  return "none";
}

std::string_view tone_of(const Verdict& verdict) {
  const auto code = exit_code(verdict);
  return code == 0 ? "good" : code == 1 || code == 3 ? "bad" : "neutral";
}

OrderedJson check_json(const Check& check, std::size_t index) {
  std::string evidence;
  if (check.first_failing || check.worst) {
    evidence += to_html(witness_table(check));
  }
  if (is_shown(check) && check.worst && check.worst->expected) {
    evidence += bits_figure(check, index);
  }
  if (check.split) {
    evidence += to_html(split_table(check.id, *check.split));
  }
  OrderedJson counterexample = OrderedJson::array();
  for (const auto& [name, value] : check.counterexample) {
    counterexample.push_back(name + ": " + value);
  }
  return {{"id", check.id},
          {"status", to_string(check.status)},
          {"tone", tone_of(check.status)},
          {"reason", check.reason},
          {"required", check.required},
          {"evidence", evidence},
          {"has_evidence", !evidence.empty()},
          {"waiver", waiver_json(check)},
          {"counterexample", counterexample}};
}

/// Those that differ from the declared ones first. Empty where all are as declared.
std::string frequencies_table(const Diagnosis& diagnosis) {
  if (std::ranges::none_of(diagnosis.frequencies, differs)) {
    return "";
  }
  DataTable table{"Frequencies recovered from " + diagnosis.roles + ", in radians a position",
                  {{"Pair", true},
                   {"Declared", true},
                   {"Found", true},
                   {"Uncertainty", true},
                   {"Found / declared", true},
                   {"As declared"}},
                  {}};
  for (const auto& frequency : differing_first(diagnosis.frequencies)) {
    const auto ratio = ratio_of(frequency);
    table.rows.push_back(
        {std::to_string(frequency.pair), number_text(frequency.declared, frequency_digits),
         number_text(frequency.found, frequency_digits), number_text(frequency.uncertainty, shown_digits),
         ratio ? number_text(*ratio, frequency_digits) : "none", differs(frequency) ? "no" : "yes"});
  }
  return to_html(table);
}

/// A public bug with a link to its thread, where it is named as GitHub names them: "owner/name #1472".
OrderedJson bug_json(const std::string& bug) {
  static const std::regex form("([A-Za-z0-9-]+/[A-Za-z0-9._-]+) #([0-9]+)");
  std::smatch parts;
  const bool linked = std::regex_match(bug, parts, form);
  return {
      {"text", bug},
      {"linked", linked},
      {"url", linked ? fmt::format("https://github.com/{}/issues/{}", parts[1].str(), parts[2].str()) : ""}};
}

OrderedJson diagnosis_json(const Verdict& verdict, const Diagnosis& diagnosis) {
  const auto equally = equal_explanations(diagnosis);
  const auto frequencies = frequencies_table(diagnosis);
  auto similar = OrderedJson::array();
  for (const auto& bug : similar_bugs(diagnosis)) {
    similar.push_back(bug_json(bug));
  }
  auto ids = OrderedJson::array();
  if (diagnosis.is_explained()) {
    for (const auto& finding : diagnosis.explanations.front().findings) {
      ids.push_back(finding.kind->id);
    }
  }
  const auto evidence = evidence_text(verdict, diagnosis);
  return {{"roles", diagnosis.roles},
          {"found", sentence_of(diagnosis)},
          {"ids", ids},
          {"evidence", evidence},
          {"has_evidence", !evidence.empty()},
          {"meaning", meaning_text(diagnosis)},
          {"advice", advice_text(diagnosis)},
          {"equally", equally},
          {"has_equally", !equally.empty()},
          {"similar", similar},
          {"has_similar", !similar.empty()},
          {"frequencies", frequencies},
          {"has_frequencies", !frequencies.empty()}};
}

OrderedJson diagnoses_json(const Verdict& verdict) {
  auto result = OrderedJson::array();
  for (const auto& diagnosis : verdict.diagnosis) {
    result.push_back(diagnosis_json(verdict, diagnosis));
  }
  return result;
}

DataTable contracts_table(const Verdict& verdict) {
  DataTable table{"What was judged by which contract",
                  {{"Tensor"}, {"Stored as"}, {"Contract"}, {"Meaning"}, {"Budget"}},
                  {}};
  for (const auto& use : verdict.contracts) {
    table.rows.push_back({use.role, use.stored, use.id, use.meaning, use.budget});
  }
  return table;
}

/// "5 checks pass, 2 are skipped"
std::string folded_text(std::uint64_t passed, std::uint64_t skipped) {
  const auto passing = counted(passed, "check passes", "checks pass");
  const auto rest = counted(skipped, "is skipped", "are skipped");
  return skipped == 0  ? passing
         : passed == 0 ? counted(skipped, "check is skipped", "checks are skipped")
                       : passing + ", " + rest;
}

std::string render(const Verdict& original) {
  const auto verdict = visible(original);
  OrderedJson shown = OrderedJson::array();
  OrderedJson folded = OrderedJson::array();
  for (std::size_t i = 0; i < verdict.checks.size(); ++i) {
    (is_shown(verdict.checks[i]) ? shown : folded).push_back(check_json(verdict.checks[i], i));
  }
  const auto passed =
      static_cast<std::uint64_t>(std::ranges::count(verdict.checks, Status::pass, &Check::status));
  const auto maps = maps_json(verdict);
  const auto position = [&](std::int64_t place) {
    return verdict.places.is_plain() ? count_text(place) : verdict.places.text(place);
  };
  const auto beside = map_of_passes(verdict);
  const OrderedJson content{{"badge", badge_svg(badge_of(verdict))},
                            {"name", verdict.name},
                            {"outcome", headline(verdict)},
                            {"tone", tone_of(verdict)},
                            {"caution", caution(verdict)},
                            {"has_caution", !caution(verdict).empty()},
                            {"asking", asking_sentences(verdict)},
                            {"has_asking", !asking_sentences(verdict).empty()},
                            {"summary", summary(verdict)},
                            {"encoding", verdict.encoding},
                            {"producer", verdict.producer},
                            {"has_producer", !verdict.producer.empty()},
                            {"rows", count_text(static_cast<std::int64_t>(verdict.rows))},
                            {"least", position(verdict.least_position)},
                            {"greatest", position(verdict.greatest_position)},
                            {"diagnosis", diagnoses_json(verdict)},
                            {"has_diagnosis", !verdict.diagnosis.empty()},
                            {"kept_contracts", verdict.kept_contracts},
                            {"has_kept_contracts", !verdict.kept_contracts.empty()},
                            {"beside", beside},
                            {"has_beside", !beside.empty()},
                            {"maps", maps},
                            {"has_maps", !maps.empty()},
                            {"shown", shown},
                            {"has_shown", !shown.empty()},
                            {"folded", folded},
                            {"has_folded", !folded.empty()},
                            {"folded_text", folded_text(passed, folded.size() - passed)},
                            {"stale_waivers", stale_waivers_json(verdict)},
                            {"has_stale_waivers", !verdict.stale_waivers.empty()},
                            {"contracts", to_html(contracts_table(verdict))},
                            {"spec", verdict.spec.dump(2)},
                            {"reproduce", verdict.reproduce},
                            {"has_reproduce", !verdict.reproduce.empty()}};
  const SiteInfo info{"Vernier verdict", std::string(version()),
                      verdict.seed ? std::to_string(*verdict.seed) : ""};
  return render_self_contained(info, {"verdict.html", verdict.name, "Verdict", "verdict", content});
}

}  // namespace

Output html_output() {
  return {"html", "the verdict as one self-contained page", render};
}

}  // namespace vernier
