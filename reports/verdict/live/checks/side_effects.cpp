#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reports/verdict/live/live_check.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct Watched {
  SideEffectKind kind;
  std::string_view id;
  std::string_view when_clean;
  std::string_view in_place = {};  ///< what else is said of whoever rotates vectors in place
};

constexpr std::array watched_effects{
    Watched{SideEffectKind::changed_input, "effects/input", "inputs were unchanged",
            "where vectors are rotated in place, those are the positions"},
    Watched{SideEffectKind::wrote_outside_output, "effects/memory", "nothing was written outside the output"},
    Watched{SideEffectKind::left_output_unwritten, "effects/output",
            "every element of the output was written",
            "vectors that are rotated in place hold their input where nothing is written, and are judged so"},
    Watched{SideEffectKind::changed_floating_point_environment, "effects/environment",
            "the floating-point environment was unchanged"}};

/// Whether an answer shows that there was no such effect. What an implementation leaves unwritten that works
/// in place holds its input, and is no effect: it is judged as the answer.
bool shows(const LiveSession& session, const Asked& asked, SideEffectKind kind) {
  return asked.answered() && (kind != SideEffectKind::left_output_unwritten || !asked.request.input ||
                              !session.implementation().takes().in_place);
}

Check check_of(const LiveSession& session, const Watched& watched) {
  auto check = live_check(watched.id, "its memory is not watched, as only a plug-in's is");
  if (!session.implementation().observes_memory()) {
    return check;
  }
  const auto count = std::ranges::count_if(session.asked(), &Asked::answered);
  const bool is_shown = std::ranges::any_of(
      session.asked(), [&](const Asked& asked) { return shows(session, asked, watched.kind); });
  const bool notes_in_place = session.implementation().takes().in_place && !watched.in_place.empty();
  check.status = is_shown ? Status::pass : Status::skipped;
  if (is_shown) {
    check.reason =
        fmt::format("{} in {}", watched.when_clean, counted(session.questions_asked(), "call", "calls"));
    check.reason += notes_in_place ? "; " + std::string(watched.in_place) : "";
  } else {
    check.reason = count == 0 ? "nothing was answered" : watched.in_place;
  }
  const auto effects = session.effects();
  const auto of_kind = [&](const WitnessedEffect& seen) { return seen.effect.kind == watched.kind; };
  const auto first = std::ranges::find_if(effects, of_kind);
  if (first != effects.end()) {
    check.status = Status::fail;
    check.counts.failing = static_cast<std::uint64_t>(std::ranges::count_if(effects, of_kind));
    check.reason = first->effect.evidence;
    check.values_vary = watched.kind == SideEffectKind::left_output_unwritten;  // they are what was there
    check.counterexample = {{"while computing", first->roles},
                            {"seen", counted(check.counts.failing, "time", "times")}};
  }
  check.counts.elements = check.counts.judged = session.questions_asked();
  return check;
}

}  // namespace

template <SideEffectKind kind>
void judge_effect(LiveSession& session, std::vector<Check>& out) {
  out.push_back(check_of(session, *std::ranges::find(watched_effects, kind, &Watched::kind)));
}
template LiveJudge judge_effect<SideEffectKind::changed_input>;
template LiveJudge judge_effect<SideEffectKind::wrote_outside_output>;
template LiveJudge judge_effect<SideEffectKind::left_output_unwritten>;
template LiveJudge judge_effect<SideEffectKind::changed_floating_point_environment>;

}  // namespace vernier
