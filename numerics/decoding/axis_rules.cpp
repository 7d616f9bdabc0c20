#include "numerics/decoding/axis_rules.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// Of so many rules of each axis the combinations are made, where there are several.
constexpr std::size_t most_combined = 3;

RuleOfAxes told(RuleOfAxes choice, std::size_t axes) {
  const auto& first = *choice.rules.front().second;
  const auto are = [&](const auto& same) {
    return std::ranges::all_of(choice.rules, same, [](const auto& one) { return one.second; });
  };
  const bool are_alike = are([&](const RowRule* rule) { return rule->words == first.words; });
  choice.kind =
      are([&](const RowRule* rule) { return rule->kind == first.kind; }) ? first.kind : RowRule::Kind::factor;
  if (are_alike && choice.rules.size() == axes) {
    choice.words = first.words;
    choice.bits = first.bits;
    choice.offset = axes == 1 ? first.offset : std::nullopt;
    choice.is_of_all_turns = first.is_whole && first.is_multiple;
    return choice;
  }
  for (const auto& [axis, rule] : choice.rules) {
    choice.bits += rule->bits;
    choice.words += fmt::format("{}along axis {}, {}", choice.words.empty() ? "" : "; ", axis, rule->words);
  }
  if (are_alike) {
    choice.bits = first.bits + std::log2(static_cast<double>(axes)) + 1;
    const auto names = joined(
        choice.rules, [](const auto& one) { return one.first; }, " and ");
    choice.words =
        fmt::format("along ax{} {}, {}", choice.rules.size() == 1 ? "is" : "es", names, first.words);
  }
  return choice;
}

}  // namespace

std::vector<RuleOfAxes> rules_of_axes(const std::vector<AxisRules>& axes) {
  const auto failing = std::ranges::count_if(axes, [](const AxisRules& one) { return !one.rules.empty(); });
  if (failing == 0) {
    return {};
  }
  std::vector<RuleOfAxes> result{{}};
  for (const auto& axis : axes) {
    if (axis.rules.empty()) {
      continue;
    }
    const auto most = failing == 1 ? axis.rules.size() : std::min(most_combined, axis.rules.size());
    std::vector<RuleOfAxes> longer;
    for (const auto& choice : result) {
      for (std::size_t i = 0; i < most; ++i) {
        longer.push_back(choice);
        longer.back().rules.emplace_back(axis.axis, &axis.rules[i]);
      }
    }
    result = std::move(longer);
  }
  for (auto& choice : result) {
    choice = told(std::move(choice), axes.size());
  }
  std::ranges::stable_sort(result, {}, &RuleOfAxes::bits);
  return result;
}

}  // namespace vernier
