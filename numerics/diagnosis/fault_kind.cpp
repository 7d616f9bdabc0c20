#include "numerics/diagnosis/fault_kind.hpp"

#include <algorithm>
#include <array>

#include "numerics/diagnosis/fault_kinds.hpp"
#include "numerics/diagnosis/finding.hpp"
#include "reference/word_list.hpp"

namespace vernier {

std::string_view to_string(Stage stage) {
  static constexpr std::array<std::string_view, 13> names{
      "spec",      "mapping",  "direction", "frequency", "position", "phase", "trigonometry",
      "amplitude", "rotation", "slope",     "bucket",    "storage",  "damage"};
  return names[static_cast<std::size_t>(stage)];
}

const std::vector<const FaultKind*>& fault_kinds() {
  static const auto all = make_all_groups(fault_kind_groups);
  return all;
}

const FaultKind* fault_kind_named(std::string_view id) {
  const auto found = std::ranges::find(fault_kinds(), id, [](const FaultKind* kind) { return kind->id; });
  return found == fault_kinds().end() ? nullptr : *found;
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
