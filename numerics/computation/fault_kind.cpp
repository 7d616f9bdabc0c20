#include "numerics/computation/fault_kind.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

#include "numerics/computation/finding.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// fault_kinds.json as it stands.
std::string fault_kinds_text();

namespace {

constexpr std::array<std::string_view, 13> stage_names{
    "spec",      "mapping",  "direction", "frequency", "position", "phase", "trigonometry",
    "amplitude", "rotation", "slope",     "bucket",    "storage",  "damage"};

/// Of the first part of an id; damage of what has none.
Stage stage_of(std::string_view id) {
  const auto found = std::ranges::find(stage_names, id.substr(0, id.find('/')));
  return found == stage_names.end() ? Stage::damage : static_cast<Stage>(found - stage_names.begin());
}

std::vector<FaultKind> read_kinds() {
  std::vector<FaultKind> kinds;
  const auto all = OrderedJson::parse(fault_kinds_text());
  for (const auto& [id, text] : all.items()) {
    kinds.push_back({id, stage_of(id), text.at("title").get<std::string>(),
                     text.at("means").get<std::string>(), text.at("advice").get<std::string>(),
                     text.value("similar", std::vector<std::string>())});
  }
  return kinds;
}

}  // namespace

std::string_view to_string(Stage stage) {
  return stage_names[static_cast<std::size_t>(stage)];
}

const std::vector<FaultKind>& fault_kinds() {
  static const auto all = read_kinds();
  return all;
}

const FaultKind* fault_kind_named(std::string_view id) {
  static const auto by_id = [] {
    std::map<std::string_view, const FaultKind*> result;
    for (const auto& kind : fault_kinds()) {
      result.emplace(kind.id, &kind);
    }
    return result;
  }();
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : found->second;
}

const FaultKind& fault_kind(std::string_view id) {
  const auto* kind = fault_kind_named(id);
  assert(kind != nullptr);
  return *kind;
}

void Prediction::append(const Prediction& later) {
  elements += later.elements;
  conclusive += later.conclusive;
  failing += later.failing;
  clearly_failing += later.clearly_failing;
  if (later.largest_budget_ratio > largest_budget_ratio) {
    largest_budget_ratio = later.largest_budget_ratio;
    worst_row = later.worst_row;
  }
}

std::string sentence_of(const Explanation& explanation) {
  std::string text;
  for (const auto& finding : explanation.findings) {
    text += (text.empty() ? "" : ", and ") + finding.sentence;
  }
  return text;
}

}  // namespace vernier
