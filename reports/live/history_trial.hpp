#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/live/live_session.hpp"

namespace vernier {

/// Questions that are asked in a process, some of them twice, with others between.
struct History {
  std::vector<Request> first;           ///< in this order; whose answers are kept
  std::vector<Request> between;         ///< whose answers are not looked at: they may be refused
  std::vector<std::size_t> again = {};  ///< which of the first are asked again, in this order; empty for all
};

/// What came of histories.
struct HistoryOutcome {
  std::uint64_t same = 0;      ///< rows that have the bits that they had
  std::uint64_t other = 0;     ///< rows that have others, and are within their budget
  std::uint64_t declined = 0;  ///< questions between that were not answered
  /// Why a question that was answered before got no answer; nothing if all did.
  std::optional<Response> missing = std::nullopt;
  /// The counterexample, where a row changed and is beyond its budget: what was asked, and the element.
  std::string reason = {};
  std::vector<std::pair<std::string, std::string>> counterexample = {};

  bool failed() const { return !counterexample.empty(); }
};

/// Asks an implementation that keeps its process the same questions again, after others. A row of the second
/// answer is right if it has the bits of the first or is within its budget: an honest engine may compile a
/// faster path meanwhile. Where one is not, the shortest sequence that shows it is looked for in new
/// processes: the questions that matter, and of each as few rows as go.
class HistoryTrial {
 public:
  /// \param session outlives the trial, has a judged case
  explicit HistoryTrial(LiveSession& session) : session_(session) {}

  HistoryOutcome run(const History& history);

 private:
  struct Wrong {
    std::size_t row;
    std::size_t column;
    std::string role;
    double budget_ratio;
  };
  /// A question whose answer changed, those that were asked before it in its process, and both answers.
  struct Change {
    std::vector<Request> questions;
    Request probe;
    Response before;
    Response after;
    Wrong wrong;
  };

  std::optional<Wrong> compare(const Request& request, const Response& before, const Response& after,
                               HistoryOutcome& outcome) const;
  bool shows(const std::vector<Request>& questions, const Request& probe);
  void shorten();
  void tell(HistoryOutcome& outcome);

  LiveSession& session_;
  int starts_left_ = 0;
  std::optional<Change> change_;  ///< the shortest so far
};

/// "cos, sin in bfloat16 at positions 0 to 63", "rotated in float32, [2, 3, 1, 64], at position 4095"
std::string words_of(const Request& request);

}  // namespace vernier
