#include <algorithm>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t rows_at_ends = 8;
/// What use/heads asks of a new process makes no table long.
constexpr int short_rows = 32;

Use ordered(const UseTrial& trial, const std::vector<std::int64_t>& block, const std::string& when) {
  auto use = trial.use_of(block);
  use.words += when;
  return use;
}

void judge_longest(LiveSession& session, std::vector<Check>& out) {
  UseTrial trial(session, "use/longest",
                 "a process answers right, whether its first questions are short or long, near or far");
  if (session.implementation().costs_a_process()) {
    auto check = trial.conclude("");
    check.reason = "each question has a process of its own, and is its first and last";
    out.push_back(std::move(check));
    return;
  }
  if (!session.implementation().can_start_afresh()) {
    auto check = trial.conclude("");
    check.reason = no_new_process;
    out.push_back(std::move(check));
    return;
  }
  if (const auto& reach = trial.reach()) {
    const auto start_of_last =
        std::max(reach->least, reach->greatest - static_cast<std::int64_t>(rows_at_ends) + 1);
    session.start_afresh_beyond({reach->least + short_rows, short_rows, {session.options().type}});
    trial.ask(
        ordered(trial, trial.block(reach->least, rows_at_ends), ", among the first questions of a process"));
    trial.ask(ordered(trial, trial.block(start_of_last, rows_at_ends), " after a short one near the start"));
    // state/... goes on in this process.
    const auto far = trial.long_block();
    session.start_afresh();
    trial.ask(ordered(trial, far, ", the first question of a process"));
    trial.ask(ordered(trial, trial.block(reach->least, rows_at_ends), " after a long one"));
    trial.ask(ordered(
        trial, {far.end() - static_cast<std::ptrdiff_t>(std::min(rows_at_ends, far.size())), far.end()},
        " after a long one"));
  }
  out.push_back(trial.conclude("the longest first"));
}

}  // namespace

LiveCheckKind longest_check() {
  return {
      "use/longest",
      "A process is asked for few positions first, near the start and then far away; another one for many "
      "first, and then for few. If this fails, the first question decides how long a table is, and later "
      "ones "
      "read beyond it, or find the rows of another length.",
      "tables that are made at the first call and kept", "the first question decides what later ones have",
      judge_longest};
}

}  // namespace vernier
