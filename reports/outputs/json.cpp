#include <algorithm>
#include <array>
#include <cmath>

#include "reports/html/charts/error_heat_map.hpp"
#include "reports/outputs/number_json.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/cost_words.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

std::string_view component_name(Component component) {
  static constexpr std::array<std::string_view, 3> names{"sine", "cosine", "zero"};
  return names[static_cast<std::size_t>(component)];
}

OrderedJson witness_json(const ElementWitness& e) {
  OrderedJson result{
      {"role", e.role},
      {"row", e.row},
      {"position", e.position},
      {"column", e.column},
      {"pair", e.meaning.component == Component::zero ? OrderedJson(nullptr) : OrderedJson(e.meaning.pair)},
      {"component", component_name(e.meaning.component)},
      {"format", traits(e.format).name},
      {"truth", e.truth}};
  result["expected"] = e.expected ? value_json(e.format, *e.expected) : OrderedJson(nullptr);
  result["got"] = value_json(e.format, e.got);
  result["error"] = {{"absolute", real_json(e.absolute)},
                     {"ulp", real_json(e.ulps)},
                     {"phase_roundings", real_json(e.phase_roundings)},
                     {"steps", e.steps ? OrderedJson(*e.steps) : OrderedJson(nullptr)}};
  result["budget"] = {{"phase", real_json(e.budget.phase)},
                      {"trig", real_json(e.budget.trig)},
                      {"storage", real_json(e.budget.storage)},
                      {"total", real_json(e.budget.total())}};
  result["budget_ratio"] = real_json(e.budget_ratio);
  if (e.real_position) {
    result["real_position"] = *e.real_position;
  }
  if (!e.leading_index.empty()) {
    result["leading_index"] = e.leading_index;
  }
  return result;
}

OrderedJson summary_json(const ErrorSummary& summary) {
  const auto place = summary.greatest_place();
  OrderedJson result{{"max", real_json(summary.greatest())},
                     {"max_at", {{"position", place.position}, {"column", place.column}}},
                     {"mean", real_json(summary.mean())},
                     {"rms", real_json(summary.rms())}};
  OrderedJson percentiles;
  for (const auto& [name, share] : {std::pair{"50", 0.5}, {"90", 0.9}, {"99", 0.99}, {"99.9", 0.999}}) {
    percentiles[name] = real_json(summary.percentile(share));
  }
  result["percentiles_at_most"] = percentiles;
  return result;
}

/// Of errors that have a sign; the number of phase roundings is a magnitude.
OrderedJson signed_summary_json(const ErrorSummary& summary) {
  auto result = summary_json(summary);
  result["signed_mean"] = real_json(summary.signed_mean());
  return result;
}

OrderedJson statistics_json(const ErrorStatistics& statistics) {
  const auto share = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(statistics.count());
  };
  return {{"elements", statistics.count()},
          {"non_finite", statistics.non_finite()},
          {"correctly_rounded_share", share(statistics.correctly_rounded())},
          {"faithful_share", share(statistics.faithful())},
          {"rounding_undecided", statistics.undecided()},
          {"ulp", signed_summary_json(statistics.ulps())},
          {"absolute", signed_summary_json(statistics.absolute())},
          {"phase_roundings", summary_json(statistics.phase_roundings())}};
}

OrderedJson extent_json(const FailingExtent& extent) {
  const auto range = [](const ClosedRange& indices) {
    return OrderedJson::array({indices.least, indices.greatest});
  };
  return {{"positions", range(extent.positions)},
          {"columns", range(extent.columns)},
          {"pairs", range(extent.pairs)}};
}

OrderedJson asking_json(const Asking& asking) {
  auto coverage = OrderedJson::array();
  for (const auto& [roles, positions] : asking.coverage) {
    coverage.push_back({{"roles", roles},
                        {"asked", positions.asked},
                        {"of", positions.of},
                        {"largest_gap", positions.largest_gap}});
  }
  return {{"quick", asking.quick}, {"coverage", coverage}, {"notes", asking.notes}};
}

/// The best that predicts most of unexplained tensors, and where the rest lies.
OrderedJson partial_json(const Diagnosis& diagnosis) {
  if (diagnosis.partial.empty() && diagnosis.rest.empty()) {
    return nullptr;
  }
  OrderedJson result{{"sentence", nullptr}, {"share", nullptr}, {"rest", diagnosis.rest}};
  if (!diagnosis.partial.empty()) {
    result["sentence"] = sentence_of(diagnosis.partial.front());
    result["share"] = predicted_share(diagnosis.partial.front().prediction);
  }
  return result;
}

OrderedJson predicted_json(const Diagnosis& diagnosis) {
  if (!diagnosis.is_explained()) {
    return nullptr;
  }
  const auto& prediction = diagnosis.explanations.front().prediction;
  return {{"elements", prediction.elements},
          {"conclusive", prediction.conclusive},
          {"largest_budget_ratio", real_json(prediction.largest_budget_ratio)}};
}

OrderedJson finding_json(const Diagnosis& diagnosis, const Finding& finding, const std::string& means) {
  const auto& kind = *finding.kind;
  return {{"id", kind.id},
          {"stage", diagnosis.is_explained() ? OrderedJson(to_string(kind.stage)) : OrderedJson(nullptr)},
          {"sentence", finding.sentence},
          {"roles", diagnosis.roles},
          {"edit", finding.edit},
          {"predicted", predicted_json(diagnosis)},
          {"equally", equal_explanations(diagnosis)},
          {"partial", partial_json(diagnosis)},
          {"means", means},
          {"advice", kind.advice},
          {"similar", kind.similar},
          {"searched", diagnosis.searched}};
}

/// An object for each finding of the likeliest explanation; of unexplained tensors, one that says so.
OrderedJson diagnosis_json(const Verdict& verdict) {
  OrderedJson result = OrderedJson::array();
  for (const auto& diagnosis : verdict.diagnosis) {
    if (!diagnosis.is_explained()) {
      const auto& kind = fault_kind("unexplained");
      const Finding unexplained{&kind, diagnosis.held.empty() ? std::string(kind.title) : diagnosis.held,
                                nullptr};
      result.push_back(finding_json(diagnosis, unexplained, std::string(kind.means)));
      continue;
    }
    auto in_figures = diagnosis.explanations.front().consequence;
    for (const auto& finding : diagnosis.explanations.front().findings) {
      in_figures += in_figures.empty() ? "" : " ";
      result.push_back(
          finding_json(diagnosis, finding,
                       in_figures + std::string(finding.kind->means) + key_meanings(verdict.spec, finding)));
      in_figures.clear();
    }
  }
  return result;
}

OrderedJson recovered_frequencies_json(const Verdict& verdict) {
  OrderedJson result = OrderedJson::array();
  for (const auto& diagnosis : verdict.diagnosis) {
    auto frequencies = OrderedJson::array();
    for (const auto& frequency : diagnosis.frequencies) {
      const auto ratio = ratio_of(frequency);
      frequencies.push_back({{"pair", frequency.pair},
                             {"declared", real_json(frequency.declared)},
                             {"found", real_json(frequency.found)},
                             {"ratio", ratio ? real_json(*ratio) : OrderedJson(nullptr)},
                             {"uncertainty", real_json(frequency.uncertainty)}});
    }
    if (!frequencies.empty()) {
      result.push_back({{"roles", diagnosis.roles}, {"frequencies", std::move(frequencies)}});
    }
  }
  return result;
}

OrderedJson split_json(const ErrorSplit& split) {
  auto stages = OrderedJson::array();
  for (const auto& [stage, share, greatest, left] : split.stages) {
    stages.push_back({{"stage", stage}, {"share", share}, {"largest", greatest}, {"largest_left", left}});
  }
  return {{"elements", split.elements}, {"largest_error", split.greatest}, {"stages", std::move(stages)}};
}

/// A bound on a share of a budget in three digits. One above 1 stays above 1.
OrderedJson ratio_bound_json(double ratio) {
  constexpr int digits = 3;
  constexpr double next_to_one = 1.01;
  if (!std::isfinite(ratio)) {
    return real_json(ratio);
  }
  return std::max(std::stod(bound_text(ratio, digits)), ratio > 1 ? next_to_one : 0);
}

OrderedJson error_map_json(const ErrorMap& map) {
  const auto coarse = map.coarsened(most_error_cells);
  auto octaves = OrderedJson::array();
  for (std::size_t index = 0; index < coarse.octaves.size(); ++index) {
    const auto& octave = coarse.octaves[index];
    if (octave.cells.empty()) {
      continue;
    }
    auto ratios = OrderedJson::array();
    for (const auto& cell : octave.cells) {
      ratios.push_back(cell.judged > 0 ? ratio_bound_json(cell.greatest_budget_ratio) : OrderedJson(nullptr));
    }
    const auto whole = octave.whole();
    octaves.push_back({{"octave", index},
                       {"magnitudes", OrderedJson::array({octave.least_position, octave.greatest_position})},
                       {"judged", whole.judged},
                       {"failing", whole.failing},
                       {"greatest_budget_ratios", std::move(ratios)}});
  }
  return {
      {"pairs", coarse.pairs}, {"pairs_per_cell", coarse.pairs_per_cell}, {"octaves", std::move(octaves)}};
}

OrderedJson check_json(const Check& check) {
  OrderedJson result{{"id", check.id}, {"status", to_string(check.status)}, {"reason", check.reason}};
  if (!check.note.empty()) {
    result["note"] = check.note;
  }
  if (!check.required.empty()) {
    result["required"] = check.required;
  }
  if (check.counts.elements > 0) {
    result["counts"] = {{"elements", check.counts.elements},
                        {"judged", check.counts.judged},
                        {"failing", check.counts.failing},
                        {"inconclusive", check.counts.inconclusive}};
  }
  if (!check.counterexample.empty()) {
    result[check.status == Status::fail ? "counterexample" : "worst_case"] =
        OrderedJson(OrderedJson::object());
    for (const auto& [name, value] : check.counterexample) {
      result.back()[name] = value;
    }
  }
  if (check.first_failing) {
    result["first_failing"] = witness_json(*check.first_failing);
  }
  if (check.worst) {
    result["worst"] = witness_json(*check.worst);
  }
  if (check.greatest_budget_ratio) {
    result["greatest_budget_ratio"] = real_json(*check.greatest_budget_ratio);
  }
  if (check.failing_extent) {
    result["failing_extent"] = extent_json(*check.failing_extent);
  }
  if (check.boundary) {
    result["boundary"] = {{"where", to_text(check.boundary->wrong_where)},
                          {"words", check.finding},
                          {"confirmed", check.boundary->is_confirmed}};
  }
  if (check.error_map) {
    result["error_map"] = error_map_json(*check.error_map);
  }
  if (check.split) {
    result["attribution"] = split_json(*check.split);
  }
  if (check.waiver) {
    result["waiver"] = waiver_json(*check.waiver);
  }
  if (check.statistics) {
    result["statistics"] = statistics_json(*check.statistics);
  }
  return result;
}

std::string render_json(const Verdict& verdict) {
  OrderedJson document{
      {"vernier_verdict", verdict_document_version},
      {"tool", {{"name", "vernier"}, {"version", version()}}},
      {"case", verdict.name},
      {"producer", verdict.producer},
      {"verdict", to_string(outcome(verdict))},
      {"exit_code", exit_code(verdict)},
      {"summary", summary(verdict)},
      {"finding", sentence_of(verdict)},
      {"diagnosis", diagnosis_json(verdict)},
      {"recovered_frequencies", recovered_frequencies_json(verdict)},
      {"kept_contracts", verdict.kept_contracts},
      {"encoding", verdict.encoding},
      {"source", verdict.source},
      {"spec", verdict.spec},
      {"as_written", verdict.as_written},
      {"rows", verdict.rows},
      {"positions", {{"least", verdict.least_position}, {"greatest", verdict.greatest_position}}}};
  document["contracts"] = OrderedJson::array();
  for (const auto& use : verdict.contracts) {
    document["contracts"].push_back({{"role", use.role},
                                     {"stored", use.stored},
                                     {"contract", use.id},
                                     {"meaning", use.meaning},
                                     {"budget", use.budget}});
  }
  if (!verdict.arithmetic.empty()) {
    document["arithmetic"] = verdict.arithmetic;
  }
  document["checks"] = OrderedJson::array();
  for (const auto& check : verdict.checks) {
    document["checks"].push_back(check_json(check));
  }
  document["stale_waivers"] = stale_waivers_json(verdict);
  document["asking"] = asking_json(verdict.asking);
  if (verdict.seed) {
    document["seed"] = *verdict.seed;
  }
  if (verdict.cost) {
    document["cost"] = cost_summary_value(*verdict.cost);
  }
  document["reproduce"] = verdict.reproduce;
  return document_text(document);
}

}  // namespace

OrderedJson waiver_json(const AppliedWaiver& waiver) {
  return {{"reason", waiver.reason},
          {"issue", waiver.issue},
          {"expires", waiver.expires},
          {"ceiling", waiver.ceiling},
          {"failure", waiver.failure}};
}

OrderedJson stale_waivers_json(const Verdict& verdict) {
  OrderedJson result = OrderedJson::array();
  for (const auto& waiver : verdict.stale_waivers) {
    result.push_back({{"check", waiver.check}, {"issue", waiver.issue}, {"problem", waiver.problem}});
  }
  return result;
}

Output json_output() {
  return {"json", render_json};
}

}  // namespace vernier
