#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

constexpr int comparison_version = 1;

OrderedJson document_json(const VerdictDocument& document) {
  return {{"file", document.source},
          {"case", document.name},
          {"producer", document.producer},
          {"version", document.tool_version},
          {"verdict", to_string(document.conclusion)},
          {"rows", document.rows},
          {"positions", {{"least", document.least_position}, {"greatest", document.greatest_position}}},
          {"checks", document.checks.size()}};
}

OrderedJson state_json(const CheckRecord* check) {
  if (check == nullptr) {
    return nullptr;
  }
  OrderedJson result{{"status", to_string(check->status)}, {"reason", check->reason}};
  add_if_any(result, "budget_ratio", check->budget_ratio(), real_json);
  return result;
}

OrderedJson change_json(const CheckChange& check) {
  const auto figure_json = [](const FigureChange& changed) -> OrderedJson {
    return {{"name", changed.figure->name},
            {"before", real_json(changed.before)},
            {"after", real_json(changed.after)},
            {"change", to_string(changed.change)}};
  };
  return {{"id", check.id},
          {"change", to_string(check.change)},
          {"before", state_json(check.before)},
          {"after", state_json(check.after)},
          {"same_elements", check.figures_count},
          {"figures", array_json(check.figures, figure_json)}};
}

OrderedJson comparison_document(const VerdictComparison& comparison) {
  OrderedJson result{{"before", comparison.before->source},
                     {"after", comparison.after->source},
                     {"finding", finding_of(comparison)},
                     {"got_worse", comparison.got_worse()},
                     {"verdict", to_string(comparison.conclusion)},
                     {"stale_waivers", to_string(comparison.stale_waivers)},
                     {"counts", OrderedJson::object()},
                     {"notes", comparison.notes},
                     {"checks", array_json(comparison.checks, change_json)}};
  for (const auto change : {Change::worse, Change::gone, Change::added, Change::better, Change::same}) {
    result["counts"][to_string(change)] = comparison.count(change);
  }
  return result;
}

OrderedJson trend_json(const RunHistory& history) {
  return {{"runs", array_json(history, &RecordedRun::label)},
          {"greatest_budget_ratio", array_json(budget_trend(history, ""), real_json)}};
}

}  // namespace

std::string comparison_json(const ComparedVerdicts& verdicts) {
  OrderedJson document{{"vernier_comparison", comparison_version},
                       {"tool", {{"name", "vernier"}, {"version", version()}}},
                       {"finding", comparison_headline(verdicts)},
                       {"documents", array_json(verdicts.documents, document_json)},
                       {"comparisons", array_json(verdicts.with_first, comparison_document)}};
  if (!verdicts.history.empty()) {
    document["trend"] = trend_json(verdicts.history);
  }
  return document_text(document);
}

}  // namespace vernier
