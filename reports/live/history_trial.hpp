#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/live/answered_again.hpp"

namespace vernier {

/// A question whose answer is known.
struct Known {
  Request request;
  Response response;
  bool was_asked_here = false;  ///< in the same process, by itself; else the answer is a part of another one
};

/// Questions that are asked in a process, and some of them again after others.
struct History {
  std::vector<Request> first;           ///< in this order; whose answers are kept
  std::vector<Request> between;         ///< whose answers are not looked at: they may be refused
  std::vector<std::size_t> again = {};  ///< which of the first are asked again, in this order; empty for all
  std::vector<Known> later = {};        ///< asked after all these
};

/// What came of a history.
struct HistoryOutcome {
  RowsAgain rows;              ///< that were answered again
  std::uint64_t declined = 0;  ///< questions between that were not answered
  /// A crash, a timeout, or why the very first question got no answer; nothing if there is none.
  std::optional<Response> missing = std::nullopt;
  /// The counterexample, where a row changed that may not, or what was answered is no more: what was asked,
  /// and the element.
  std::string reason = {};
  std::vector<std::pair<std::string, std::string>> counterexample = {};

  bool failed() const { return !counterexample.empty(); }
};

/// Asks an implementation that keeps its process the same questions again, after others. Where a row
/// changed that may not (answered_again.hpp), or the question is refused, the shortest sequence that shows it
/// is looked for in new processes: the questions that matter, and of each as few rows as go. Where none can
/// be started, the whole history is told.
class HistoryTrial {
 public:
  /// \param session outlives the trial, has a judged case
  explicit HistoryTrial(LiveSession& session) : session_(session) {}

  /// Makes the next question the first of a new process. \pre there are new ones
  void start_afresh();
  /// Asks in the process that there is; if an answer changed in one that others asked, once more in a new
  /// one, where the history alone can be the reason.
  HistoryOutcome run(const History& history);

 private:
  /// An element that is wrong; without a role: there is no answer.
  struct Wrong {
    Difference place = {};
    double budget_ratio = 0;
    bool was_wrong_at_first = false;
  };
  /// A question whose answer changed, those that were asked before it in its process, and both answers.
  struct Change {
    std::vector<Request> questions;
    Request probe;
    Response before;
    Response after;
    Wrong wrong;
  };

  bool can_start_afresh() const;
  HistoryOutcome run_here(const History& history);
  Response ask(const Request& request);
  std::optional<Wrong> compare(const Request& request, const Response& before, const Response& after,
                               HistoryOutcome& outcome) const;
  bool shows(const std::vector<Request>& questions, const Request& probe);
  void leave_out_questions();
  void cut_questions();
  bool is_shown_again(const std::vector<Request>& own);
  void tell(bool is_shown_again, HistoryOutcome& outcome) const;
  bool judge_again(const Known& known, std::vector<Request>& own, HistoryOutcome& outcome);

  LiveSession& session_;
  bool is_own_process_ = false;
  std::vector<Request> asked_;  ///< by this trial, since the start of the process
  int starts_left_ = 0;
  std::optional<Change> change_;  ///< the shortest so far
};

/// "cos, sin in bfloat16 at positions 0 to 63", "rotated in float32, [2, 3, 1, 64], at position 4095"
std::string words_of(const Request& request);

}  // namespace vernier
