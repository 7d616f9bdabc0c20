#include <algorithm>

#include <fmt/core.h>

#include "reports/live/live_check.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

struct Watched {
  SideEffectKind kind;
  std::string_view id;
  std::string_view required;
  std::string_view when_clean;
  std::string_view in_place = {};  ///< what else is said of whoever rotates vectors in place
};

/// Whether an answer shows that there was no such effect. What an implementation leaves unwritten that works
/// in place holds its input, and is no effect: it is judged as the answer.
bool shows(const LiveSession& session, const Asked& asked, SideEffectKind kind) {
  return asked.answered() && (kind != SideEffectKind::left_output_unwritten || !asked.request.input ||
                              !session.implementation().takes().in_place);
}

Check check_of(const LiveSession& session, const Watched& watched) {
  Check check{std::string(watched.id), Status::skipped, "its memory is not watched, as only a plug-in's is",
              std::string(watched.required)};
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

LiveCheckKind input_check() {
  return {
      "effects/input",
      "The implementation leaves positions and vectors that it was given as they are; of vectors those that "
      "it does not say it rotates in place.",
      "inputs are const in the plug-in header; a query rotated in place is rotated twice by the next layer",
      "what it was given is changed", [](LiveSession& session, std::vector<Check>& out) {
        out.push_back(check_of(session, {SideEffectKind::changed_input, "effects/input",
                                         "inputs stay as they are", "inputs were unchanged",
                                         "where vectors are rotated in place, those are the positions"}));
      }};
}

LiveCheckKind memory_check() {
  return {"effects/memory", "The implementation writes nothing around the output that it was given.",
          "outputs lie between canaries and guard pages", "it writes outside its output",
          [](LiveSession& session, std::vector<Check>& out) {
            out.push_back(check_of(session, {SideEffectKind::wrote_outside_output, "effects/memory",
                                             "nothing is written outside the output",
                                             "nothing was written outside the output"}));
          }};
}

LiveCheckKind output_check() {
  return {
      "effects/output",
      "The implementation writes every element of the output. What it leaves out holds whatever was in "
      "memory before. Where it rotates vectors in place, that is its input, and no failure: accuracy/rotated "
      "tells whether it is right.",
      "outputs are filled with different patterns before calls", "parts of the output are not written",
      [](LiveSession& session, std::vector<Check>& out) {
        out.push_back(check_of(
            session, {SideEffectKind::left_output_unwritten, "effects/output",
                      "every element of the output is written", "every element of the output was written",
                      "vectors that are rotated in place hold their input where "
                      "nothing is written, and are judged so"}));
      }};
}

LiveCheckKind environment_check() {
  return {"effects/environment",
          "A call leaves the floating-point environment as it found it: rounding direction, flush to zero, "
          "exception masks. A change would alter every later computation of the program. What a library sets "
          "when it is loaded, as those linked with -ffast-math do, is noted and fails nothing.",
          "C17, 7.6: the floating-point environment; GCC bug 55522: crtfastmath.o",
          "the floating-point environment is changed", [](LiveSession& session, std::vector<Check>& out) {
            out.push_back(
                check_of(session, {SideEffectKind::changed_floating_point_environment, "effects/environment",
                                   "the floating-point environment stays as it was",
                                   "the floating-point environment was unchanged"}));
          }};
}

}  // namespace vernier
