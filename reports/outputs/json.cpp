#include <algorithm>
#include <array>
#include <cmath>

#include "reports/html/charts/error_heat_map.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/cost_words.hpp"
#include "reports/words/number_json.hpp"
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
  const auto in_format = [&](double value) { return value_json(e.format, value); };
  result["expected"] = json_or_null(e.expected, in_format);
  result["got"] = in_format(e.got);
  result["error"] = {{"absolute", real_json(e.absolute)},
                     {"ulp", real_json(e.ulps)},
                     {"phase_roundings", real_json(e.phase_roundings)},
                     {"steps", json_or_null(e.steps)}};
  result["budget"] = {{"phase", real_json(e.budget.phase)},
                      {"trig", real_json(e.budget.trig)},
                      {"storage", real_json(e.budget.storage)},
                      {"total", real_json(e.budget.total())}};
  result["budget_ratio"] = real_json(e.budget_ratio);
  add_if_any(result, "real_position", e.real_position);
  add_if_any(result, "leading_index", e.leading_index);
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
  const auto coverage_json = [](const Coverage& coverage) -> OrderedJson {
    const auto& positions = coverage.positions;
    return {{"roles", coverage.roles},
            {"asked", positions.asked},
            {"of", positions.of},
            {"largest_gap", positions.largest_gap}};
  };
  return {{"quick", asking.quick},
          {"coverage", array_json(asking.coverage, coverage_json)},
          {"notes", asking.notes}};
}

/// The best that predicts most of unexplained tensors, and where the rest lies.
OrderedJson partial_json(const Diagnosis& diagnosis) {
  if (diagnosis.partial.empty() && diagnosis.rest.empty()) {
    return nullptr;
  }
  const auto best = diagnosis.partial.empty() ? std::nullopt : std::optional(diagnosis.partial.front());
  return {{"sentence", json_or_null(best, [](const Explanation& one) { return sentence_of(one); })},
          {"share", json_or_null(best, [](const auto& one) { return predicted_share(one.prediction); })},
          {"rest", diagnosis.rest}};
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

OrderedJson runs_json(const std::vector<IndexRun>& runs) {
  return array_json(runs, [](const IndexRun& run) { return OrderedJson{run.first, run.last, run.step}; });
}

OrderedJson region_json(const ElementRegion& region) {
  OrderedJson columns = OrderedJson::object();
  for (const auto& [role, runs] : region.columns) {
    columns[role] = runs_json(runs);
  }
  return {{"rows", runs_json(region.rows)},
          {"columns", std::move(columns)},
          {"elements", region.elements},
          {"bits", real_json(region.bits)},
          {"equally", region.equally}};
}

OrderedJson finding_json(const Diagnosis& diagnosis, const Finding& finding, const std::string& means) {
  const auto& kind = *finding.kind;
  return {{"id", kind.id},
          {"stage", diagnosis.is_explained() ? OrderedJson(to_string(kind.stage)) : OrderedJson(nullptr)},
          {"sentence", finding.sentence},
          {"roles", diagnosis.roles},
          {"edit", finding.edit},
          {"account", json_or_null(finding.region, region_json)},
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
    const auto& kind = fault_kind("unexplained");
    const Explanation unexplained{
        .findings = {{&kind, diagnosis.held.empty() ? std::string(kind.title) : diagnosis.held, nullptr}}};
    const auto& explanation = diagnosis.is_explained() ? diagnosis.explanations.front() : unexplained;
    auto means = explanation.consequence;
    for (const auto& finding : explanation.findings) {
      means += means.empty() ? "" : " ";
      means += std::string(finding.kind->means) + key_meanings(verdict.spec, finding);
      result.push_back(finding_json(diagnosis, finding, means));
      means.clear();
    }
  }
  return result;
}

OrderedJson frequency_json(const RecoveredFrequency& frequency) {
  return {{"pair", frequency.pair},
          {"declared", real_json(frequency.declared)},
          {"found", real_json(frequency.found)},
          {"ratio", json_or_null(ratio_of(frequency), real_json)},
          {"uncertainty", real_json(frequency.uncertainty)}};
}

OrderedJson recovered_frequencies_json(const Verdict& verdict) {
  OrderedJson result = OrderedJson::array();
  for (const auto& diagnosis : verdict.diagnosis) {
    if (!diagnosis.frequencies.empty()) {
      result.push_back(
          {{"roles", diagnosis.roles}, {"frequencies", array_json(diagnosis.frequencies, frequency_json)}});
    }
  }
  return result;
}

OrderedJson split_json(const ErrorSplit& split) {
  const auto stage_json = [](const auto& stage) -> OrderedJson {
    const auto& [name, share, greatest, left] = stage;
    return {{"stage", name}, {"share", share}, {"largest", greatest}, {"largest_left", left}};
  };
  return {{"elements", split.elements},
          {"largest_error", split.greatest},
          {"stages", array_json(split.stages, stage_json)}};
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
    const auto ratio_json = [](const ErrorCell& cell) {
      return cell.judged > 0 ? ratio_bound_json(cell.greatest_budget_ratio) : OrderedJson(nullptr);
    };
    const auto whole = octave.whole();
    octaves.push_back({{"octave", index},
                       {"magnitudes", OrderedJson::array({octave.least_position, octave.greatest_position})},
                       {"judged", whole.judged},
                       {"failing", whole.failing},
                       {"greatest_budget_ratios", array_json(octave.cells, ratio_json)}});
  }
  return {
      {"pairs", coarse.pairs}, {"pairs_per_cell", coarse.pairs_per_cell}, {"octaves", std::move(octaves)}};
}

OrderedJson counts_json(const Counts& counts) {
  return {{"elements", counts.elements},
          {"judged", counts.judged},
          {"failing", counts.failing},
          {"inconclusive", counts.inconclusive}};
}

OrderedJson check_json(const Check& check) {
  OrderedJson result{{"id", check.id}, {"status", to_string(check.status)}, {"reason", check.reason}};
  add_if_any(result, "note", check.note);
  add_if_any(result, "required", check.required);
  if (check.counts.elements > 0) {
    result["counts"] = counts_json(check.counts);
  }
  if (!check.counterexample.empty()) {
    auto& values = result[check.status == Status::fail ? "counterexample" : "worst_case"];
    for (const auto& [name, value] : check.counterexample) {
      values[name] = value;
    }
  }
  const auto boundary_json = [&](const Boundary& boundary) -> OrderedJson {
    return {{"where", to_text(boundary.wrong_where)},
            {"words", check.finding},
            {"confirmed", boundary.is_confirmed}};
  };
  add_if_any(result, "first_failing", check.first_failing, witness_json);
  add_if_any(result, "worst", check.worst, witness_json);
  add_if_any(result, "greatest_budget_ratio", check.greatest_budget_ratio, real_json);
  add_if_any(result, "failing_extent", check.failing_extent, extent_json);
  add_if_any(result, "boundary", check.boundary, boundary_json);
  add_if_any(result, "error_map", check.error_map, error_map_json);
  add_if_any(result, "attribution", check.split, split_json);
  add_if_any(result, "waiver", check.waiver, waiver_json);
  add_if_any(result, "statistics", check.statistics, statistics_json);
  return result;
}

OrderedJson contract_json(const ContractUse& use) {
  return {{"role", use.role},
          {"stored", use.stored},
          {"contract", use.id},
          {"meaning", use.meaning},
          {"budget", use.budget}};
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
  document["contracts"] = array_json(verdict.contracts, contract_json);
  add_if_any(document, "arithmetic", verdict.arithmetic);
  document["checks"] = array_json(verdict.checks, check_json);
  document["stale_waivers"] = stale_waivers_json(verdict);
  document["asking"] = asking_json(verdict.asking);
  add_if_any(document, "seed", verdict.seed);
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
  return array_json(verdict.stale_waivers, [](const StaleWaiver& waiver) -> OrderedJson {
    return {{"check", waiver.check}, {"issue", waiver.issue}, {"problem", waiver.problem}};
  });
}

Output json_output() {
  return {"json", render_json};
}

}  // namespace vernier
