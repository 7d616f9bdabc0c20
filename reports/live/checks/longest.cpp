#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t few = 8;
/// Longer than the tables that engines start with, and quickly asked.
constexpr std::size_t many = 2048;

Use ordered(const std::vector<std::int64_t>& block, const std::string& when) {
  auto use = UseTrial::use_of(block);
  use.words += when;
  return use;
}

void judge_longest(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/longest",
                 "a new process answers right, whether the first question is short or long, near or far");
  if (session.implementation().costs_a_process()) {
    auto check = trial.conclude("");
    check.reason = "each question has a process of its own, and is its first and last";
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    const auto start = [&](std::size_t rows) {
      return std::max(reach->least, reach->greatest - static_cast<std::int64_t>(rows) + 1);
    };
    const auto first_few = trial.block(reach->least, few);
    const auto last_few = trial.block(start(few), few);
    session.start_afresh();
    trial.ask(ordered(first_few, ", the first question of a process"));
    trial.ask(ordered(last_few, " after a short one near the start"));
    trial.ask(ordered(trial.block(reach->least, many), " after a short one"));
    session.start_afresh();
    trial.ask(ordered(trial.block(start(many), many), ", the first question of a process"));
    trial.ask(ordered(first_few, " after a long one"));
    trial.ask(ordered(last_few, " after a long one"));
  }
  out.push_back(trial.conclude("the longest first and last"));
}

}  // namespace

LiveCheckKind longest_check() {
  return {
      "use/longest",
      "Two new processes are asked for few and for many positions, near and far, in both orders. If this "
      "fails, "
      "the first question decides how long a table is, and later ones read beyond it, or find the rows of "
      "another length.",
      "tables that are made at the first call and kept", judge_longest};
}

}  // namespace vernier
