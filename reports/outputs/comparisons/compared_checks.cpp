#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "reference/support/counted.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/told_apart.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Behind every status where there is no such check.
int rank_of(const CheckRecord* check) {
  return check == nullptr ? rank_of(Status::skipped) + 1 : rank_of(check->status);
}

int rank_of(const ComparedCheck& check) {
  return std::ranges::min(mapped(check.states, [](const CheckRecord* state) { return rank_of(state); }));
}

/// The first change that is the worst, with the worst status after it. \pre not all are null
std::size_t worst_of(std::span<const CheckChange* const> changes) {
  const auto badness = [](const CheckChange* change) {
    return change == nullptr ? std::tuple(1, Change::same, 0)
                             : std::tuple(0, change->change, rank_of(change->after));
  };
  return static_cast<std::size_t>(std::ranges::min_element(changes, {}, badness) - changes.begin());
}

std::string budget_words(double before, double after) {
  if (before <= 1 && after <= 1) {
    const auto [was, is] = told_apart(100 * before, 100 * after, shown_digits);
    return fmt::format("uses {} % of its budget, was {} %", is, was);
  }
  return fmt::format("{}, was {}", usage_text(after), budget_share_text(before));
}

/// So many figures are told in a line.
constexpr std::size_t most_figures = 2;

/// What changed, in words: the share of the budget, and the first figures that made the check better or
/// worse.
std::vector<std::string> figure_words(const CheckChange& check) {
  std::vector<std::string> words;
  for (const auto& [figure, before, after, change] : check.figures) {
    if (change == Change::same || !figure->decides || words.size() == most_figures) {
      continue;
    }
    if (figure->name == budget_figure) {
      words.push_back(budget_words(before, after));
    } else if (change == check.change && check.before->status == check.after->status) {
      const auto [was, is] = told_apart(before, after, shown_digits);
      words.push_back(fmt::format("{} {}, was {}", figure->name, is, was));
    }
  }
  return words;
}

/// With the reason of a state that is not good.
std::string with_reason(const std::string& words, const CheckRecord& check) {
  return check.status == Status::pass ? words : fmt::format("{}; {}", words, one_line(check.reason));
}

}  // namespace

std::string budget_share_text(double share) {
  if (std::isnan(share)) {
    return "none";
  }
  if (std::isinf(share)) {
    return "more than any";
  }
  return share <= 1 ? percent_text(share) : times_text(share) + " times";
}

std::string state_text(const CheckRecord* check) {
  if (check == nullptr) {
    return "none";
  }
  const std::string status(to_string(check->status));
  return check->budget_ratio() && check->is_judged()
             ? status + ", " + budget_share_text(*check->budget_ratio())
             : status;
}

std::string check_change_text(const CheckChange& check) {
  if (check.after == nullptr) {
    return "was " + state_text(check.before);
  }
  if (check.before == nullptr) {
    return with_reason(state_text(check.after), *check.after);
  }
  const std::string status(to_string(check.after->status));
  std::vector<std::string> words{check.before->status == check.after->status
                                     ? status
                                     : fmt::format("{}, was {}", status, to_string(check.before->status))};
  if (check.before->is_judged() && check.after->is_judged()) {
    std::ranges::move(figure_words(check), std::back_inserter(words));
  }
  return with_reason(fmt::format("{}", fmt::join(words, "; ")), *check.after);
}

std::vector<ComparedCheck> ranked_checks(const ComparedVerdicts& verdicts) {
  std::vector<ComparedCheck> checks;
  std::set<std::string> seen;
  for (const auto& comparison : verdicts.with_first) {
    for (const auto& [id, before, after, change, figures, figures_count] : comparison.checks) {
      if (!seen.insert(id).second) {
        continue;
      }
      ComparedCheck check{.id = id, .states = {before}, .changes = {}};
      for (std::size_t i = 0; i < verdicts.with_first.size(); ++i) {
        check.states.push_back(verdicts.documents[i + 1].check_named(id));
        check.changes.push_back(record_named(verdicts.with_first[i].checks, id));
      }
      check.worst = worst_of(check.changes);
      check.change = check.changes[check.worst]->change;
      checks.push_back(std::move(check));
    }
  }
  std::ranges::stable_sort(
      checks, {}, [](const ComparedCheck& check) { return std::pair(check.change, rank_of(check)); });
  return checks;
}

std::vector<std::string> all_notes(const ComparedVerdicts& verdicts) {
  std::vector<std::string> notes;
  for (const auto& comparison : verdicts.with_first) {
    std::ranges::transform(comparison.notes, std::back_inserter(notes), one_line);
  }
  return notes;
}

std::string comparison_headline(const ComparedVerdicts& verdicts) {
  if (verdicts.with_first.size() == 1) {
    return finding_of(verdicts.with_first.front());
  }
  std::vector<std::string> worse;
  for (const auto& comparison : verdicts.with_first) {
    if (comparison.got_worse()) {
      const auto count = comparison.count(Change::worse);
      worse.push_back(one_line(comparison.after->label) +
                      (count > 0 ? fmt::format(" ({})", counted(count, "check", "checks")) : ""));
    }
  }
  const auto first = one_line(verdicts.documents.front().label);
  return worse.empty()
             ? fmt::format("none of {} verdicts is worse than {}", verdicts.with_first.size(), first)
             : fmt::format("{} of {} verdicts {} worse than {}: {}", worse.size(), verdicts.with_first.size(),
                           worse.size() == 1 ? "is" : "are", first, joined(worse));
}

}  // namespace vernier
