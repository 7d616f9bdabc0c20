#include "reports/live/comparison.hpp"

#include <algorithm>

#include "numerics/implementations/rows.hpp"
#include "reports/live/answered_again.hpp"
#include "reports/live/held_rows.hpp"

namespace vernier {
namespace {

/// \return whether all answers to the questions agree with the first one
bool compare(LiveSession& session, const Comparison& comparison, const Asked& asked,
             const Selection& selection, Check& check, RowsAgain& all) {
  const auto what = std::string(comparison.what) + " (" + asked.roles + ")";
  for (const auto& rows : selection.questions) {
    const auto request = with_rows(asked.request, rows);
    const auto response = session.ask(request);
    if (response.status != ResponseStatus::answered) {
      tell_missing_answer(check, what, response);
      return false;
    }
    check.counts.elements += rows.size();
    check.counts.judged += rows.size();
    const auto again = answered_again(session, asked.request, asked.response, rows, response);
    if (again.wrong) {
      tell_wrong_again(check, what, asked.request, asked.response, rows, response, again);
      check.finding = rule_of_held_rows(asked.request, asked.response, request, response);
      return false;
    }
    all.add(again);
  }
  return true;
}

}  // namespace

Check compare_answers(LiveSession& session, const Comparison& comparison) {
  Check check{std::string(comparison.id), Status::skipped, "nothing was answered that could be compared",
              std::string(comparison.required)};
  RowsAgain all;
  // The session may grow no questions meanwhile: it only answers.
  for (const auto& asked : session.asked()) {
    const auto selection = asked.answered() ? comparison.select(session, asked) : std::nullopt;
    if (selection && !compare(session, comparison, asked, *selection, check, all)) {
      return check;
    }
  }
  if (all.rows() > 0) {
    tell_rows_again(check, std::string(comparison.what), all);
  }
  return check;
}

bool rows_stand_alone(const LiveSession& session, const Asked& asked) {
  const auto biases = session.encoding().all<BiasTable>();
  return std::ranges::all_of(asked.request.wanted, [&](const WantedTensor& wanted) {
    const auto bias = std::ranges::find(biases, wanted.role, &BiasTable::role);
    return bias == biases.end() || bias->factor == BiasTable::Factor::key_position;
  });
}

}  // namespace vernier
