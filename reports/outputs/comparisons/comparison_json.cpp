#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/outputs/number_json.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

constexpr int comparison_version = 1;

OrderedJson document_json(const VerdictDocument& document) {
  return {{"file", document.file},
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
  if (check->budget_ratio) {
    result["budget_ratio"] = real_json(*check->budget_ratio);
  }
  return result;
}

OrderedJson change_json(const CheckChange& check) {
  OrderedJson figures = OrderedJson::array();
  for (const auto& figure : check.figures) {
    figures.push_back({{"name", figure.name},
                       {"before", real_json(figure.before)},
                       {"after", real_json(figure.after)},
                       {"change", to_string(figure.change)}});
  }
  return {{"id", check.id},
          {"change", to_string(check.change)},
          {"before", state_json(check.before)},
          {"after", state_json(check.after)},
          {"same_elements", check.figures_count},
          {"figures", figures}};
}

OrderedJson comparison_document(const VerdictComparison& comparison) {
  OrderedJson result{{"before", comparison.before->file},
                     {"after", comparison.after->file},
                     {"finding", finding_of(comparison)},
                     {"got_worse", comparison.got_worse()},
                     {"verdict", to_string(comparison.conclusion)},
                     {"stale_waivers", to_string(comparison.stale_waivers)},
                     {"counts", OrderedJson::object()},
                     {"notes", comparison.notes},
                     {"checks", OrderedJson::array()}};
  for (const auto change : {Change::worse, Change::gone, Change::added, Change::better, Change::same}) {
    result["counts"][to_string(change)] = comparison.count(change);
  }
  for (const auto& check : comparison.checks) {
    result["checks"].push_back(change_json(check));
  }
  return result;
}

OrderedJson trend_json(const RunHistory& history) {
  OrderedJson labels = OrderedJson::array();
  for (const auto& entry : history) {
    labels.push_back(entry.label);
  }
  OrderedJson shares = OrderedJson::array();
  for (const auto share : budget_trend(history, "")) {
    shares.push_back(real_json(share));
  }
  return {{"runs", labels}, {"greatest_budget_ratio", shares}};
}

}  // namespace

std::string comparison_json(const ComparedVerdicts& verdicts) {
  OrderedJson document{{"vernier_comparison", comparison_version},
                       {"tool", {{"name", "vernier"}, {"version", version()}}},
                       {"finding", comparison_headline(verdicts)},
                       {"documents", OrderedJson::array()},
                       {"comparisons", OrderedJson::array()}};
  for (const auto& one : verdicts.documents) {
    document["documents"].push_back(document_json(one));
  }
  for (const auto& comparison : verdicts.with_first) {
    document["comparisons"].push_back(comparison_document(comparison));
  }
  if (!verdicts.history.empty()) {
    document["trend"] = trend_json(verdicts.history);
  }
  return document_text(document);
}

}  // namespace vernier
