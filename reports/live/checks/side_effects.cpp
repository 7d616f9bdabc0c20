#include <algorithm>

#include "reports/live/live_check.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

struct Watched {
  SideEffectKind kind;
  std::string_view id;
  std::string_view required;
  std::string_view when_clean;
};

Check check_of(const LiveSession& session, const Watched& watched) {
  Check check{std::string(watched.id), Status::skipped, "a command's memory is its own, and is not watched",
              std::string(watched.required)};
  if (!session.implementation().observes_memory()) {
    return check;
  }
  const bool answered =
      std::ranges::any_of(session.asked(), [](const Asked& asked) { return asked.answered(); });
  check.reason = answered ? std::string(watched.when_clean) + " in " +
                                counted(session.questions_asked(), "call", "calls")
                          : "nothing was answered";
  check.status = answered ? Status::pass : Status::skipped;
  const auto effects = session.effects();
  const auto of_kind = [&](const WitnessedEffect& seen) { return seen.effect.kind == watched.kind; };
  const auto first = std::ranges::find_if(effects, of_kind);
  if (first != effects.end()) {
    check.status = Status::fail;
    check.counts.failing = static_cast<std::uint64_t>(std::ranges::count_if(effects, of_kind));
    check.reason = first->effect.evidence;
    check.counterexample = {{"while computing", first->roles},
                            {"seen", counted(check.counts.failing, "time", "times")}};
  }
  check.counts.elements = check.counts.judged = session.questions_asked();
  return check;
}

}  // namespace

LiveCheckKind input_check() {
  return {
      "effects/input", "The implementation leaves positions and vectors that it was given as they are.",
      "inputs are const in the plug-in header; a query rotated in place is rotated twice by the next layer",
      [](LiveSession& session, std::vector<Check>& out) {
        out.push_back(check_of(session, {SideEffectKind::changed_input, "effects/input",
                                         "inputs stay as they are", "inputs were unchanged"}));
      }};
}

LiveCheckKind memory_check() {
  return {"effects/memory", "The implementation writes nothing around the output that it was given.",
          "outputs lie between canaries and guard pages", [](LiveSession& session, std::vector<Check>& out) {
            out.push_back(check_of(session, {SideEffectKind::wrote_outside_output, "effects/memory",
                                             "nothing is written outside the output",
                                             "nothing was written outside the output"}));
          }};
}

LiveCheckKind output_check() {
  return {"effects/output",
          "The implementation writes every element of the output. What it leaves out holds whatever was in "
          "memory before.",
          "outputs are filled with different patterns before calls",
          [](LiveSession& session, std::vector<Check>& out) {
            out.push_back(check_of(session, {SideEffectKind::left_output_unwritten, "effects/output",
                                             "every element of the output is written",
                                             "every element of the output was written"}));
          }};
}

LiveCheckKind environment_check() {
  return {
      "effects/environment",
      "The implementation leaves the floating-point environment as it found it: rounding direction, flush to "
      "zero, exception masks. A change would alter every later computation of the program.",
      "C17, 7.6: the floating-point environment; libraries built with -ffast-math set flush to zero when "
      "they are loaded",
      [](LiveSession& session, std::vector<Check>& out) {
        out.push_back(
            check_of(session, {SideEffectKind::changed_floating_point_environment, "effects/environment",
                               "the floating-point environment stays as it was",
                               "the floating-point environment was unchanged"}));
      }};
}

}  // namespace vernier
