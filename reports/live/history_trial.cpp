#include "reports/live/history_trial.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "numerics/implementations/rows.hpp"
#include "reports/live/judged_rows.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// New processes for shortening: each may take seconds, to import a framework.
constexpr int most_starts = 24;

std::vector<std::size_t> counting(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::span<const std::byte> row_bytes(const Tensor& tensor, std::size_t row) {
  const auto width = tensor.shape().back() * traits(tensor.type()).bytes;
  return tensor.bytes().subspan(row * width, width);
}

bool answered(const Response& response) {
  return response.status == ResponseStatus::answered;
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
                         ? fmt::format("position {}", least)
                         : fmt::format("{} positions from {} to {}", positions.size(), least, greatest));
}

/// Counts rows in \p outcome. \return the first element that changed and is beyond its budget
std::optional<HistoryTrial::Wrong> HistoryTrial::compare(const Request& request, const Response& before,
                                                         const Response& after,
                                                         HistoryOutcome& outcome) const {
  std::vector<std::size_t> changed;
  for (std::size_t row = 0; row < rows_of(request); ++row) {
    const bool is_same = std::ranges::all_of(request.wanted, [&](const WantedTensor& wanted) {
      return std::ranges::equal(row_bytes(before.tensors.find(wanted.role)->second, row),
                                row_bytes(after.tensors.find(wanted.role)->second, row));
    });
    if (!is_same) {
      changed.push_back(row);
    }
  }
  outcome.same += rows_of(request) - changed.size();
  if (changed.empty()) {
    return std::nullopt;
  }
  const auto part = with_rows(request, changed);
  AnsweredRows rows{integers_of(part.positions), {}, part.input};
  for (const auto& wanted : request.wanted) {
    rows.tensors.emplace(wanted.role, with_places(after.tensors.find(wanted.role)->second, 0, changed));
  }
  const auto judged = judge_rows(*session_.judged_case(), rows);
  if (!judged.wrong) {
    outcome.other += changed.size();
    return std::nullopt;
  }
  return Wrong{changed[judged.wrong->row], judged.wrong->column, judged.wrong->role,
               judged.wrong->budget_ratio};
}

/// Whether the probe has a wrong answer after the questions, in a new process, and another as the first
/// question of one. If so, that is the shortest sequence so far.
bool HistoryTrial::shows(const std::vector<Request>& questions, const Request& probe) {
  if (starts_left_ < 2) {
    return false;
  }
  starts_left_ -= 2;
  session_.start_afresh();
  auto before = session_.ask(probe);
  session_.start_afresh();
  for (const auto& question : questions) {
    session_.ask(question);
  }
  auto after = session_.ask(probe);
  if (!answered(before) || !answered(after)) {
    return false;
  }
  HistoryOutcome unused;
  if (auto wrong = compare(probe, before, after, unused)) {
    change_ = {questions, probe, std::move(before), std::move(after), *std::move(wrong)};
    return true;
  }
  return false;
}

void HistoryTrial::shorten() {
  // One question is mostly enough: the last ones are the likeliest.
  const auto all = change_->questions;
  bool is_one = all.size() == 1;
  for (std::size_t i = all.size(); !is_one && i-- > 0;) {
    is_one = shows({all[i]}, change_->probe);
  }
  for (std::size_t i = all.size(); !is_one && i-- > 0;) {
    auto fewer = change_->questions;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    shows(fewer, change_->probe);
  }
  if (const auto row = change_->wrong.row; can_be_cut(change_->probe)) {
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

/// \pre a change was found
void HistoryTrial::tell(HistoryOutcome& outcome) {
  starts_left_ = most_starts;
  const bool is_shown_again = shows(std::vector(change_->questions), Request(change_->probe));
  if (is_shown_again) {
    shorten();
  }
  const auto& [questions, probe, before, after, wrong] = *change_;
  outcome.reason = fmt::format(
      "{} of position {}, column {}, {} after {}, and had other bits before{}", wrong.role,
      position_text(probe, wrong.row), wrong.column, usage_text(wrong.budget_ratio),
      questions.size() == 1 ? "one other question" : counted(questions.size(), "question", "other questions"),
      is_shown_again ? "" : "; a new process that was asked the same did not show it");
  const auto number = [](std::size_t i) { return fmt::format("question {}", i + 1); };
  for (std::size_t i = 0; i < questions.size(); ++i) {
    outcome.counterexample.emplace_back(number(i), words_of(questions[i]));
  }
  outcome.counterexample.emplace_back(number(questions.size()), words_of(probe));
  Check told;
  const auto width = after.tensors.find(wrong.role)->second.shape().back();
  tell_difference(told, probe, before, counting(rows_of(probe)), after,
                  {wrong.role, wrong.row, wrong.row * width + wrong.column});
  std::ranges::move(told.counterexample, std::back_inserter(outcome.counterexample));
}

HistoryOutcome HistoryTrial::run(const History& history) {
  HistoryOutcome outcome;
  std::vector<Response> before;
  std::vector<Request> asked;
  for (const auto& question : history.first) {
    before.push_back(session_.ask(question));
    asked.push_back(question);
    if (!answered(before.back())) {
      outcome.missing = before.back();
      return outcome;
    }
  }
  for (const auto& question : history.between) {
    outcome.declined += answered(session_.ask(question)) ? 0 : 1;
    asked.push_back(question);
  }
  for (const auto i : history.again.empty() ? counting(history.first.size()) : history.again) {
    const auto& probe = history.first[i];
    auto after = session_.ask(probe);
    if (!answered(after)) {
      outcome.missing = std::move(after);
      return outcome;
    }
    if (auto wrong = compare(probe, before[i], after, outcome)) {
      change_ = {asked, probe, before[i], std::move(after), *std::move(wrong)};
      tell(outcome);
      return outcome;
    }
    asked.push_back(probe);
  }
  return outcome;
}

}  // namespace vernier
