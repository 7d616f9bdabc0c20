#include <algorithm>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t few = 8;

Use ordered(const std::vector<std::int64_t>& block, const std::string& when) {
  auto use = UseTrial::use_of(block);
  use.words += when;
  return use;
}

void judge_longest(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/longest",
                 "a process answers right whose first question is a long one, far from the start");
  if (session.implementation().costs_a_process()) {
    auto check = trial.conclude("");
    check.reason = "each question has a process of its own, and is its first and last";
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    const auto far = trial.long_block();
    session.start_afresh_beyond(session.extent_of_long_question());
    trial.ask(ordered(far, ", the first question of a process"));
    trial.ask(ordered(trial.block(reach->least, few), " after a long one"));
    trial.ask(ordered({far.end() - static_cast<std::ptrdiff_t>(std::min(few, far.size())), far.end()},
                      " after a long one"));
  }
  out.push_back(trial.conclude("the longest first"));
}

}  // namespace

LiveCheckKind longest_check() {
  return {
      "use/longest",
      "A new process is asked for many positions first, far from the start, and then for few, near and far. "
      "The first process was asked the other way round. If this fails, the first question decides how long a "
      "table is, and later ones read beyond it, or find the rows of another length.",
      "tables that are made at the first call and kept", judge_longest};
}

}  // namespace vernier
