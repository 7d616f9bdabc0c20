#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>

#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reference/support/counted.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/charts/bits_chart.hpp"
#include "reports/html/charts/error_heat_map.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/site.hpp"
#include "reports/html/table.hpp"
#include "reports/outputs/badge.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/verdict/verdict.hpp"
#include "reports/words/cost_words.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// Whether a check has something to look at: the rest is folded.
bool is_shown(const Check& check) {
  return check.status != Status::pass && check.status != Status::skipped;
}

std::string element_text(const ElementWitness& element) {
  return fmt::format("position {}, pair {}", element.real_position.value_or(count_text(element.position)),
                     element.meaning.pair);
}

/// Which elements of a check a map points out, in words.
std::string map_story(const Check& check) {
  const auto& worst = check.worst;
  const auto whole = [&] {
    ErrorCell sum;
    for (const auto& octave : check.error_map->octaves) {
      sum.include(octave.whole());
    }
    return sum;
  }();
  if (whole.failing == 0) {
    const auto ring = worst ? fmt::format(", at {} (the ring)", element_text(*worst)) : std::string();
    return fmt::format(
        "Each cell is the greatest error of its pair at its positions, as a share of its budget. No element "
        "is beyond; the one that uses most of it takes {}{}.",
        percent_text(whole.greatest_budget_ratio), ring);
  }
  auto text =
      counted(whole.failing, "element is", "elements are") + " beyond the budget, within the dark line.";
  if (check.first_failing && worst && !worst_is_first(check)) {
    text += fmt::format(" The first: {} (the square). The worst: {} (the ring), {}.",
                        element_text(*check.first_failing), element_text(*worst),
                        usage_text(worst->budget_ratio));
  } else if (worst) {
    text += fmt::format(" The first and the worst: {} (the ring), {}.", element_text(*worst),
                        usage_text(worst->budget_ratio));
  }
  return text;
}

std::optional<ElementOnMap> on_map(const std::optional<ElementWitness>& element) {
  return element && element->meaning.component != Component::zero
             ? std::optional(ElementOnMap{element->position, element->meaning.pair})
             : std::nullopt;
}

std::string map_figure(const Check& check, std::size_t index) {
  return to_html(error_heat_map(
      "errors-" + std::to_string(index + 1), check.id + ".", map_story(check), *check.error_map,
      worst_is_first(check) ? std::nullopt : on_map(check.first_failing), on_map(check.worst)));
}

/// "The bits that differ are 0 to 5."
std::string bits_story(const ElementWitness& worst) {
  const auto differing = encode_bits(worst.format, worst.got) ^ encode_bits(worst.format, *worst.expected);
  const auto count = static_cast<std::uint64_t>(std::popcount(differing));
  const auto greatest = std::bit_width(differing) - 1;
  return differing == 0
             ? "The worst element is the correctly rounded one."
             : fmt::format("Expected and actual bits of the worst element, at {}: {}, the highest is bit {}.",
                           element_text(worst), counted(count, "bit differs", "bits differ"), greatest);
}

/// The bits of the worst element of a check, as they should be and as they are. \pre it has a worst element
/// whose correctly rounded value is known \param index of the check: figures have names of their own
std::string bits_figure(const Check& check, std::size_t index) {
  const auto& worst = *check.worst;
  return to_html(bits_chart({"bits-" + std::to_string(index + 1), check.id + ", bit by bit.",
                             bits_story(worst), worst.format, *worst.expected, worst.got}));
}

/// Where the errors lie of the checks that do not pass.
OrderedJson maps_json(const Verdict& verdict) {
  constexpr std::size_t most = 4;
  auto figures = OrderedJson::array();
  for (const auto& check : verdict.checks) {
    if (check.error_map && is_shown(check) && figures.size() < most) {
      figures.push_back(map_figure(check, figures.size()));
    }
  }
  return figures;
}

/// Where all pass, the errors of the tensor that uses most of a budget: it stands beside the verdict, so that
/// a pass is one screen. Empty where something does not pass.
std::string map_of_passes(const Verdict& verdict) {
  const auto with_map = pointers_to(verdict.checks, &Check::error_map);
  if (with_map.empty() || std::ranges::any_of(verdict.checks, is_shown)) {
    return "";
  }
  return map_figure(*std::ranges::max(with_map, {}, &Check::greatest_budget_ratio), 0);
}

/// How far errors move a logit by the distance of query and key; empty where fewer than two distances have a
/// number to show.
std::string cost_figure(const Cost& cost) {
  LineChart chart{"cost",
                  "How far errors move a logit, by distance",
                  "Each point is the greatest change over all pairs of positions at its distance.",
                  {"distance of query and key, in positions", AxisScale::powers_of_two},
                  {"change of a logit, at most", AxisScale::logarithmic},
                  {},
                  {{"a logit", {}}}};
  for (const auto& at : cost.score.by_distance) {
    if (at.distance > 0 && std::isfinite(at.change.upper)) {
      chart.x_values.push_back(static_cast<double>(at.distance));
      chart.series.front().values.push_back(at.change.upper);
    }
  }
  return chart.x_values.size() < 2 ? "" : to_html(line_chart(chart));
}

/// Names and values that tell one element.
std::vector<std::pair<std::string, std::string>> told_witness(const ElementWitness& e) {
  const std::string component =
      e.meaning.component == Component::sine     ? "sine of pair " + std::to_string(e.meaning.pair)
      : e.meaning.component == Component::cosine ? "cosine of pair " + std::to_string(e.meaning.pair)
                                                 : "padding";
  return {
      {"position", e.real_position.value_or(count_text(e.position))},
      {"row, column", fmt::format("{}, {}", to_string(RowPlace{e.leading_index, e.row}), e.column)},
      {"component", component},
      {"truth", e.truth},
      {"expected", e.expected ? exact_text(e.format, *e.expected) : "undecided"},
      {"got", exact_text(e.format, e.got)},
      {"absolute error", measure_text(e.absolute)},
      {"error in ulp", measure_text(e.ulps)},
      {"phase roundings", measure_text(e.phase_roundings)},
      {"budget: phase, trigonometry, storage",
       fmt::format("{}, {}, {}", measure_text(e.budget.phase), measure_text(e.budget.trig),
                   measure_text(e.budget.storage))},
      {"share of the budget used", e.budget_ratio <= 1 ? percent_text(e.budget_ratio)
                                                       : measure_text(e.budget_ratio) + " times the budget"}};
}

/// The first failing element and the worst one beside each other; one column where they are the same.
DataTable witness_table(const Check& check) {
  const auto& first = check.first_failing;
  const auto& worst = check.worst;
  const bool both = worst_is_first(check);
  DataTable table{check.id + ": the elements that show it", {{"What"}}, {}};
  const auto add = [&](const ElementWitness& element, std::string heading) {
    table.columns.push_back({std::move(heading)});
    const auto told = told_witness(element);
    table.rows.resize(told.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (table.rows[i].empty()) {
        table.rows[i].push_back(told[i].first);
      }
      table.rows[i].push_back(told[i].second);
    }
  };
  if (first) {
    add(*first, both ? "First failing, and worst" : "First failing");
  }
  if (worst && !both) {
    add(*worst, "Worst");
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

std::string_view tone_of(Status status) {
  // pass, fail, waived, inconclusive, skipped, error
  static constexpr std::array<std::string_view, 6> tones{"good", "bad", "neutral", "neutral", "none", "bad"};
  return tones[static_cast<std::size_t>(status)];
}

std::string_view tone_of(const Verdict& verdict) {
  const auto code = exit_code(verdict);
  return code == 0 ? "good" : code == 1 || code == 3 ? "bad" : "neutral";
}

OrderedJson check_section(const Check& check, std::size_t index) {
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
  const auto counterexample =
      array_json(check.counterexample, [](const auto& entry) { return entry.first + ": " + entry.second; });
  return {{"id", check.id},
          {"status", to_string(check.status)},
          {"tone", tone_of(check.status)},
          {"reason", check.reason},
          {"required", check.required},
          {"evidence", evidence},
          {"waiver", check.waiver ? waiver_json(*check.waiver) : OrderedJson(false)},
          {"counterexample", counterexample}};
}

std::string frequencies_table(const ToldDiagnosis& told) {
  if (told.frequencies.empty()) {
    return "";
  }
  DataTable table{"Frequencies recovered from " + told.roles + ", in radians a position",
                  {{"Pair", true},
                   {"Declared", true},
                   {"Found", true},
                   {"Uncertainty", true},
                   {"Found / declared", true},
                   {"As declared"}},
                  {}};
  for (const auto& frequency : told.frequencies) {
    const auto ratio = ratio_of(frequency);
    table.rows.push_back(
        {std::to_string(frequency.pair), number_text(frequency.declared, frequency_digits),
         number_text(frequency.found, frequency_digits), number_text(frequency.uncertainty, shown_digits),
         ratio ? number_text(*ratio, frequency_digits) : "none", frequency.differs() ? "no" : "yes"});
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

OrderedJson diagnosis_section(const ToldDiagnosis& told) {
  return {{"roles", told.roles},
          {"found", told.found},
          {"ids", told.ids},
          {"evidence", told.evidence},
          {"meaning", told.effect},
          {"advice", told.fix},
          {"equally", told.equally},
          {"similar", array_json(told.similar, bug_json)},
          {"frequencies", frequencies_table(told)}};
}

DataTable contracts_table(const Verdict& verdict) {
  DataTable table{"What was judged by which contract",
                  {{"Tensor"}, {"Stored as"}, {"Contract"}, {"Meaning"}, {"Budget"}},
                  {}};
  for (const auto& [role, stored, id, meaning, budget] : verdict.contracts) {
    table.rows.push_back({role, stored, id, meaning, budget});
  }
  return table;
}

/// "5 checks pass, 2 are skipped"
std::string folded_text(std::uint64_t passed, std::uint64_t skipped) {
  if (passed == 0 && skipped > 0) {
    return counted(skipped, "check is skipped", "checks are skipped");
  }
  return counted(passed, "check passes", "checks pass") +
         (skipped == 0 ? "" : ", " + counted(skipped, "is skipped", "are skipped"));
}

std::string render(const Verdict& original) {
  const auto verdict = visible(original);
  OrderedJson shown = OrderedJson::array();
  OrderedJson folded = OrderedJson::array();
  for (std::size_t i = 0; i < verdict.checks.size(); ++i) {
    (is_shown(verdict.checks[i]) ? shown : folded).push_back(check_section(verdict.checks[i], i));
  }
  const auto passed = count_of(verdict, Status::pass);
  const auto position = [&](std::int64_t place) {
    return verdict.places.is_plain() ? count_text(place) : verdict.places.text(place);
  };
  const OrderedJson content{{"badge", badge_svg(badge_of(verdict))},
                            {"name", verdict.name},
                            {"outcome", headline(verdict)},
                            {"tone", tone_of(verdict)},
                            {"caution", caution(verdict)},
                            {"asking", asking_sentences(verdict)},
                            {"summary", summary(verdict)},
                            {"encoding", verdict.encoding},
                            {"producer", verdict.producer},
                            {"rows", count_text(static_cast<std::int64_t>(verdict.rows))},
                            {"least", position(verdict.least_position)},
                            {"greatest", position(verdict.greatest_position)},
                            {"diagnosis", array_json(told_diagnoses(verdict), diagnosis_section)},
                            {"kept_contracts", verdict.kept_contracts},
                            {"cost", verdict.cost ? cost_sentence(*verdict.cost) : ""},
                            {"cost_assumed", verdict.cost ? cost_assumptions(*verdict.cost) : ""},
                            {"cost_figure", verdict.cost ? cost_figure(*verdict.cost) : ""},
                            {"beside", map_of_passes(verdict)},
                            {"maps", maps_json(verdict)},
                            {"shown", shown},
                            {"folded", folded},
                            {"folded_text", folded_text(passed, folded.size() - passed)},
                            {"stale_waivers", stale_waivers_json(verdict)},
                            {"contracts", to_html(contracts_table(verdict))},
                            {"spec", verdict.spec.dump(2)},
                            {"reproduce", verdict.reproduce}};
  const SiteInfo info{"Vernier verdict", std::string(version()),
                      verdict.seed ? std::to_string(*verdict.seed) : ""};
  return render_self_contained(info, {"verdict.html", verdict.name, "Verdict", "verdict", content});
}

}  // namespace

Output html_output() {
  return {"html", render};
}

}  // namespace vernier
