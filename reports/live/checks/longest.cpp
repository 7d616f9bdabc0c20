#include <algorithm>

#include "reports/live/live_check.hpp"
#include "reports/live/use_trial.hpp"

namespace vernier {
namespace {

constexpr std::size_t few = 8;
/// Rows of a question that makes nobody's table long.
constexpr std::size_t most_of_a_short_one = 32;
/// Longer than the tables that engines start with, and quickly asked.
constexpr std::size_t many = 2048;

Use ordered(const std::vector<std::int64_t>& block, const std::string& when) {
  auto use = UseTrial::use_of(block);
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
  if (const auto& reach = trial.reach()) {
    const auto block_to = [&](std::int64_t end, std::size_t rows) {
      const auto first = std::max(reach->least, end - static_cast<std::int64_t>(rows) + 1);
      return block_of(first, static_cast<std::size_t>(end - first) + 1);
    };
    const auto first_few = trial.block(reach->least, few);
    session.start_afresh_beyond({reach->least + static_cast<std::int64_t>(most_of_a_short_one),
                                 most_of_a_short_one,
                                 {session.options().type}});
    trial.ask(ordered(first_few, ", among the first questions of a process"));
    trial.ask(ordered(block_to(reach->greatest, few), " after a short one near the start"));
    trial.ask(ordered(trial.block(reach->least, many), " after a short one"));
    // Half way, so that the process is as good as a new one for state/...: tables can grow, to twice the
    // length too.
    const auto middle = half_way(*reach);
    session.start_afresh();
    trial.ask(ordered(block_to(middle, many), ", the first question of a process"));
    trial.ask(ordered(first_few, " after a long one"));
    trial.ask(ordered(block_to(middle, few), " after a long one"));
  }
  out.push_back(trial.conclude("the longest first and last"));
}

}  // namespace

LiveCheckKind longest_check() {
  return {
      "use/longest",
      "Two processes are asked for few and for many positions, near and far, in both orders, before anything "
      "longer. If this fails, the first question decides how long a table is, and later ones read beyond it, "
      "or find the rows of "
      "another length.",
      "tables that are made at the first call and kept", judge_longest};
}

}  // namespace vernier
