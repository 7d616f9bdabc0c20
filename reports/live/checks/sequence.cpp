#include "numerics/implementations/rows.hpp"
#include "reports/live/answered_again.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

/// \return whether the answer for the first rows is still the one from before the long sequence
bool is_unchanged(LiveSession& session, const Asked& asked, Check& check, RowsAgain& all) {
  const auto request = with_rows(asked.request, first_rows_of(asked.request));
  const auto rows = first_rows_of(request);
  const auto what = "a short sequence after a long one (" + asked.roles + ")";
  const auto after = session.ask(request);
  if (after.status != ResponseStatus::answered) {
    tell_missing_answer(check, what, after);
    return false;
  }
  check.counts.elements += rows.size();
  check.counts.judged += rows.size();
  const auto again = answered_again(session, request, *asked.first_rows, rows, after);
  all.add(again);
  if (again.wrong) {
    tell_wrong_again(check, what, request, *asked.first_rows, rows, after, again);
  }
  return !again.wrong;
}

void judge_sequence(LiveSession& session, std::vector<Check>& out) {
  Check check{"effects/sequence", Status::skipped, "nothing was answered that could be compared",
              "a long sequence leaves nothing behind that changes a short one after it"};
  if (session.implementation().costs_a_process()) {
    check.reason = "each question has a process of its own, which forgets the one before";
    out.push_back(std::move(check));
    return;
  }
  RowsAgain all;
  for (const auto& asked : session.asked()) {
    if (!asked.answered() || !asked.first_rows || asked.first_rows->status != ResponseStatus::answered) {
      continue;
    }
    if (!is_unchanged(session, asked, check, all)) {
      out.push_back(std::move(check));
      return;
    }
  }
  if (all.rows() > 0) {
    tell_rows_again(check, "a short sequence before and after a long one", all);
  }
  out.push_back(std::move(check));
}

}  // namespace

LiveCheckKind sequence_check() {
  return {
      "effects/sequence",
      "The first positions get the same answer before and after a question about many and far ones. If not, "
      "the implementation keeps a cache or frequencies of the longest sequence it has seen. Other bits "
      "within "
      "the budget are told, and no failure unless --bitwise asks for it.",
      "dynamic scalings that recompute their frequencies for a long sequence and do not go back",
      "a long question changes the answers to later ones", judge_sequence};
}

}  // namespace vernier
