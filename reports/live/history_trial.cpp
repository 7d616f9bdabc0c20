#include "reports/live/history_trial.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// New processes for shortening: each may take seconds, to import a framework.
constexpr int most_starts = 48;

std::vector<std::size_t> counting(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

bool answered(const Response& response) {
  return response.status == ResponseStatus::answered;
}

/// Whether the process is gone, and what it kept with it.
bool has_ended(const Response& response) {
  return response.status == ResponseStatus::crashed || response.status == ResponseStatus::timed_out;
}

/// Questions of which some rows can be left out.
bool can_be_cut(const Request& request) {
  return rows_of(request) > 1 && rows_stand_alone(request) && request.wanted.front().shape.size() == 2;
}

}  // namespace

std::string words_of(const Request& request) {
  const auto positions = integers_of(request.positions);
  const auto [least, greatest] = std::ranges::minmax(positions);
  const auto& wanted = request.wanted.front();
  return fmt::format("{} in {}{} at {}", roles_of(request), traits(wanted.type).name,
                     wanted.shape.size() > 2 ? ", " + to_string(wanted.shape) + "," : "",
                     least == greatest
                         ? fmt::format("position {}", position_text(request, least))
                         : fmt::format("{} positions from {} to {}", positions.size(),
                                       position_text(request, least), position_text(request, greatest)));
}

/// Counts rows in \p outcome. \return the first element that changed and may not
std::optional<HistoryTrial::Wrong> HistoryTrial::compare(const Request& request, const Response& before,
                                                         const Response& after,
                                                         HistoryOutcome& outcome) const {
  if (!answered(after)) {
    return Wrong{};
  }
  const auto again = answered_again(session_, request, before, counting(rows_of(request)), after);
  if (again.wrong) {
    return Wrong{again.wrong->place, again.wrong->budget_ratio, again.wrong->was_wrong_at_first};
  }
  outcome.rows.add(again);
  return std::nullopt;
}

void HistoryTrial::start_afresh() {
  is_own_process_ = true;
  session_.start_afresh();
  asked_.clear();
}

bool HistoryTrial::can_start_afresh() const {
  return session_.implementation().can_start_afresh();
}

Response HistoryTrial::ask(const Request& request) {
  asked_.push_back(request);
  return session_.ask(request);
}

/// Whether the probe has a wrong answer after the questions, in a new process, and another as the first
/// question of one. If so, that is the shortest sequence so far.
bool HistoryTrial::shows(const std::vector<Request>& questions, const Request& probe) {
  if (starts_left_ < 2) {
    return false;
  }
  starts_left_ -= 2;
  start_afresh();
  auto before = ask(probe);
  start_afresh();
  for (const auto& question : questions) {
    ask(question);
  }
  auto after = ask(probe);
  if (!answered(before)) {
    return false;
  }
  HistoryOutcome unused;
  if (auto wrong = compare(probe, before, after, unused)) {
    change_ = {questions, probe, std::move(before), std::move(after), *std::move(wrong)};
    return true;
  }
  return false;
}

/// Ever smaller parts, as long as some can go.
void HistoryTrial::leave_out_questions() {
  for (auto part = (change_->questions.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
    for (std::size_t first = 0; first < change_->questions.size() && change_->questions.size() > 1;) {
      auto fewer = change_->questions;
      const auto last = std::min(first + part, fewer.size());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(first),
                  fewer.begin() + static_cast<std::ptrdiff_t>(last));
      first = !fewer.empty() && shows(fewer, Request(change_->probe)) ? first : last;
    }
  }
}

/// To one row each.
void HistoryTrial::cut_questions() {
  if (const auto row = change_->wrong.place.row; can_be_cut(change_->probe)) {
    const auto one = with_rows(change_->probe, std::span(&row, 1));
    shows(std::vector(change_->questions), one);
  }
  for (std::size_t i = 0; i < change_->questions.size(); ++i) {
    for (const auto row : {rows_of(change_->questions[i]) - 1, std::size_t{0}}) {
      if (can_be_cut(change_->questions[i])) {
        auto cut = change_->questions;
        cut[i] = with_rows(cut[i], std::span(&row, 1));
        shows(cut, Request(change_->probe));
      }
    }
  }
}

/// Whether new processes show the change that was found; if so, it is made as short as it goes.
/// \param own questions of its history, which may be enough to show it; else what was asked before them in
/// the same process belongs to it
bool HistoryTrial::is_shown_again(const std::vector<Request>& own) {
  starts_left_ = most_starts;
  const auto all = change_->questions;
  const auto probe = change_->probe;
  if (!shows(own, probe) && !shows(all, probe)) {
    return false;
  }
  leave_out_questions();
  cut_questions();
  return true;
}

/// \pre a change was found
void HistoryTrial::tell(bool is_shown_again, HistoryOutcome& outcome) const {
  const auto& [questions, probe, before, after, wrong] = *change_;
  const auto number_asked = questions.size() == 1 ? std::string("one other question")
                                                  : counted(questions.size(), "question", "other questions");
  if (const auto& place = wrong.place; place.role.empty()) {
    outcome.reason = fmt::format("{} got no answer after {}, and had one before: {}", words_of(probe),
                                 number_asked, after.reason);
  } else {
    const auto usage = wrong.budget_ratio > 0 ? ", " + usage_text(wrong.budget_ratio) : "";
    outcome.reason =
        fmt::format("{} of position {}, column {}", place.role, position_text_of_row(probe, place.row),
                    place.index % after.tensors.find(place.role)->second.shape().back());
    outcome.reason += wrong.was_wrong_at_first
                          ? fmt::format("{} at first, and has other bits after {}", usage, number_asked)
                          : fmt::format("{} after {}, and had other bits before", usage, number_asked);
  }
  outcome.reason += is_shown_again ? ""
                    : can_start_afresh()
                        ? "; a new process that was asked the same did not show it"
                        : "; which of them matter, or others before, only new processes would tell";
  const auto number = [](std::size_t i) { return fmt::format("question {}", i + 1); };
  for (std::size_t i = 0; i < questions.size(); ++i) {
    outcome.counterexample.emplace_back(number(i), words_of(questions[i]));
  }
  outcome.counterexample.emplace_back(number(questions.size()), words_of(probe));
  if (!wrong.place.role.empty()) {
    Check told;
    tell_difference(told, probe, before, counting(rows_of(probe)), after, wrong.place);
    std::ranges::move(told.counterexample, std::back_inserter(outcome.counterexample));
  }
}

/// \return whether the history goes on
bool HistoryTrial::judge_again(const Known& known, std::vector<Request>& own, HistoryOutcome& outcome) {
  const auto before = asked_;
  auto after = ask(known.request);
  if (has_ended(after)) {
    outcome.missing = std::move(after);
    return false;
  }
  if (auto wrong = compare(known.request, known.response, after, outcome)) {
    change_ = {before, known.request, known.response, std::move(after), *std::move(wrong)};
    if (!can_start_afresh()) {
      change_->questions = own;
      tell(false, outcome);
      return false;
    }
    if (!is_own_process_) {
      return false;
    }
    const bool shown = is_shown_again(own);
    // Who answers this question wrong in any process keeps nothing.
    if (shown || known.was_asked_here) {
      tell(shown, outcome);
    }
    return false;
  }
  own.push_back(known.request);
  return true;
}

HistoryOutcome HistoryTrial::run(const History& history) {
  auto outcome = run_here(history);
  if (change_ && !is_own_process_ && can_start_afresh()) {
    // What others asked of the process may be the reason.
    start_afresh();
    outcome = run_here(history);
  }
  return outcome;
}

HistoryOutcome HistoryTrial::run_here(const History& history) {
  HistoryOutcome outcome;
  change_.reset();
  std::vector<Known> first;
  std::vector<Request> own;
  for (const auto& question : history.first) {
    first.push_back({question, ask(question), true});
    own.push_back(question);
    if (!answered(first.back().response)) {
      outcome.missing = first.back().response;
      return outcome;
    }
  }
  for (const auto& question : history.between) {
    auto response = ask(question);
    if (has_ended(response)) {
      outcome.missing = std::move(response);
      return outcome;
    }
    outcome.declined += answered(response) ? 0 : 1;
    own.push_back(question);
  }
  for (const auto i : history.again.empty() ? counting(history.first.size()) : history.again) {
    if (!judge_again(first[i], own, outcome)) {
      return outcome;
    }
  }
  for (const auto& known : history.later) {
    if (!judge_again(known, own, outcome)) {
      return outcome;
    }
  }
  return outcome;
}

}  // namespace vernier
