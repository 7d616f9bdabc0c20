#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

/// \return whether the answer for the first rows is still the one from before the long sequence
bool is_unchanged(LiveSession& session, const Asked& asked, Check& check) {
  const auto rows = first_rows_of(asked.request);
  const auto short_request = with_rows(asked.request, rows);
  const auto after = session.ask(short_request);
  if (after.status != ResponseStatus::answered) {
    tell_missing_answer(check, "a short sequence after a long one (" + asked.roles + ")", after);
    return false;
  }
  const auto same = first_rows_of(short_request);
  check.counts.elements += rows.size();
  check.counts.judged += rows.size();
  const auto difference = first_difference(short_request, *asked.first_rows, same, after);
  if (difference) {
    check.status = Status::fail;
    check.counts.failing = 1;
    check.reason =
        fmt::format("a short sequence ({}) got other bits after a long one than before it", asked.roles);
    tell_difference(check, short_request, *asked.first_rows, same, after, *difference);
  }
  return !difference;
}

void judge_sequence(LiveSession& session, std::vector<Check>& out) {
  Check check{"effects/sequence", Status::skipped, "nothing was answered that could be compared",
              "a long sequence leaves nothing behind that changes a short one after it"};
  if (session.implementation().costs_a_process()) {
    check.reason = "each question has a process of its own, which forgets the one before";
    out.push_back(std::move(check));
    return;
  }
  for (const auto& asked : session.asked()) {
    if (!asked.answered() || !asked.first_rows || asked.first_rows->status != ResponseStatus::answered) {
      continue;
    }
    check.status = Status::pass;
    check.reason = "a short sequence has the same bits before and after a long one";
    if (!is_unchanged(session, asked, check)) {
      break;
    }
  }
  out.push_back(std::move(check));
}

}  // namespace

LiveCheckKind sequence_check() {
  return {
      "effects/sequence",
      "The first positions get the same bits before and after a question about many and far ones. If not, "
      "the implementation keeps a cache or frequencies of the longest sequence it has seen.",
      "dynamic scalings that recompute their frequencies for a long sequence and do not go back",
      judge_sequence};
}

}  // namespace vernier
