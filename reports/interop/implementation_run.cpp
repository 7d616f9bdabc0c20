#include "reports/interop/implementation_run.hpp"

#include <cassert>

#include <fmt/core.h>

#include "reference/configs/json_tree.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

HistoryCheck accuracy_of(const LeagueResult& result) {
  const auto status = result.failing > 0        ? Status::fail
                      : result.inconclusive > 0 ? Status::inconclusive
                                                : Status::pass;
  return {"accuracy", status, result.greatest_budget_ratio};
}

Conclusion conclusion_of(Status accuracy) {
  return accuracy == Status::fail           ? Conclusion::does_not_conform
         : accuracy == Status::inconclusive ? Conclusion::inconclusive
                                            : Conclusion::conforms;
}

}  // namespace

HistoryEntry history_entry(const ComparedImplementation& judged, const std::string& label) {
  assert(judged.result);
  const auto accuracy = accuracy_of(*judged.result);
  const auto& own_words = judged.found.empty() ? judged.name : judged.found;
  return {.label = label.empty() ? own_words : label,
          .name = fmt::format("{}, {}, {} contract, {} positions", judged.encoding, judged.stored,
                              judged.contract, judged.positions),
          .implementation = judged.name,
          .producer = judged.found,
          .tool_version = std::string(version()),
          .conclusion = conclusion_of(accuracy.status),
          .spec = judged.spec,
          .checks = {accuracy}};
}

RunHistory history_entries(const std::vector<ComparedImplementation>& list, const std::string& label) {
  RunHistory runs;
  for (const auto& judged : list) {
    if (judged.result) {
      runs.push_back(history_entry(judged, label));
    }
  }
  return runs;
}

RunHistory runs_like(const RunHistory& history, const ComparedImplementation& judged) {
  auto runs = runs_of_case(history, history_entry(judged, ""));
  std::erase_if(runs, [&](const HistoryEntry& run) { return !same_value(run.spec, judged.spec); });
  return runs;
}

}  // namespace vernier
