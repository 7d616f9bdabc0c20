#include "reports/verdict/live/live_check.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "reference/json/json.hpp"

namespace vernier {

/// live_checks.json as it stands.
std::string live_checks_text();

namespace {

/// Those of side effects are last, as they tell what was seen while all others asked. The questions of the
/// covering design come early: they find most of what is wrong. Out-of-range positions come after all others
/// that ask the same process, as what they leave behind is nobody else's fault; other lengths come last of
/// what asks (use/thresholds), as the longest may be kept.
std::vector<LiveCheckKind> listed_kinds() {
  return {
      {"implementation/answers/<role>", judge_answers},
      {"accuracy/<role>/queries", judge_queries},
      {"effects/determinism", judge_determinism},
      {"use/<coordinate>", judge_questions},
      {"state/<history>", nullptr},  // by use/<coordinate>
      {"use/input-range", judge_input_range},
      {"law/<scheme>/<property>", judge_laws},
      {"effects/out-of-range", judge_out_of_range},
      {"use/thresholds", judge_thresholds},
      {"effects/input", judge_effect<SideEffectKind::changed_input>, false},
      {"effects/memory", judge_effect<SideEffectKind::wrote_outside_output>, false},
      {"effects/output", judge_effect<SideEffectKind::left_output_unwritten>, false},
      {"effects/environment", judge_effect<SideEffectKind::changed_floating_point_environment>, false},
  };
}

std::vector<LiveCheckKind> told_kinds() {
  const auto texts = OrderedJson::parse(live_checks_text());
  auto kinds = listed_kinds();
  for (auto& kind : kinds) {
    const auto& text = texts.at(std::string(kind.id));
    kind.meaning = text.at("meaning").get<std::string>();
    kind.source = text.at("source").get<std::string>();
    kind.required = text.value("required", "");
    kind.finding = text.value("finding", "");
  }
  return kinds;
}

}  // namespace

std::span<const LiveCheckKind> live_check_kinds() {
  static const auto kinds = told_kinds();
  return kinds;
}

Check live_check(std::string_view id, std::string reason) {
  const auto kind = std::ranges::find(live_check_kinds(), id, &LiveCheckKind::id);
  assert(kind != live_check_kinds().end());
  return {std::string(id), Status::skipped, std::move(reason), kind->required};
}

}  // namespace vernier
