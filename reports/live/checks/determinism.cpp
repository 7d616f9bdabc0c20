#include <numeric>

#include "numerics/implementations/rows.hpp"
#include "reports/live/answered_again.hpp"
#include "reports/live/held_rows.hpp"
#include "reports/live/live_check.hpp"

namespace vernier {
namespace {

/// As often as a path that is compiled anew shows, and a race that is not rare.
constexpr int most_repetitions = 10;
/// Frameworks give elements to several threads from some tens of thousands on.
constexpr std::size_t raced_rows = 2048;

/// \return whether all rows were answered as before, or others within their budget
bool ask_again(LiveSession& session, const Asked& asked, std::size_t count, Check& check, RowsAgain& all) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto what = "a further call with the same question (" + asked.roles + ")";
  const auto request = with_rows(asked.request, rows);
  const auto response = session.ask(request);
  if (response.status != ResponseStatus::answered) {
    tell_missing_answer(check, what, response);
    return false;
  }
  check.counts.elements += count;
  check.counts.judged += count;
  const auto again = answered_again(session, asked.request, asked.response, rows, response);
  if (again.wrong) {
    tell_wrong_again(check, what, asked.request, asked.response, rows, response, again);
    check.finding = rule_of_held_rows(asked.request, asked.response, request, response);
    return false;
  }
  all.add(again);
  return true;
}

void judge_determinism(LiveSession& session, std::vector<Check>& out) {
  auto& check = out.emplace_back(
      Check{"effects/determinism", Status::skipped, "nothing was answered that could be compared",
            "the same question has the same answer: the same bits, or others within the budget"});
  RowsAgain all;
  for (const auto& asked : session.asked()) {
    const auto rows = asked.answered() ? rows_of(asked.request) : 0;
    const auto repeated = rows_stand_alone(session, asked) ? std::min(rows, raced_rows) : rows;
    const bool is_costly = session.implementation().costs_a_process();
    const auto times = rows == 0 ? 0 : is_costly || repeated > raced_rows ? 1 : most_repetitions;
    for (int i = 0; i < times; ++i) {
      if (!ask_again(session, asked, i == 0 ? rows : repeated, check, all)) {
        check.values_vary = check.status == Status::fail;
        return;
      }
    }
  }
  if (all.rows() > 0) {
    tell_rows_again(check, "the same question again", all);
  }
}

}  // namespace

LiveCheckKind determinism_check() {
  return {
      "effects/determinism",
      "Asked the same question again, the implementation gives the same answer. If not, it reads memory that "
      "it did not write, or keeps state, or threads race. Other bits within the budget are told, and no "
      "failure unless --bitwise asks for it: an engine may compile a faster path meanwhile, or sum in an "
      "order "
      "that varies.",
      "a table is a function of spec and positions", "the same question has other answers",
      judge_determinism};
}

}  // namespace vernier
