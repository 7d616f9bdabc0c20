#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

int badness(Conclusion conclusion) {
  return conclusion == Conclusion::conforms ? 0 : conclusion == Conclusion::does_not_conform ? 2 : 1;
}

template <class Number>
Change change_of(Number before, Number after) {
  return after > before ? Change::worse : after < before ? Change::better : Change::same;
}

Change change_of_figure(const FigureKind& figure, double before, double after, double slack) {
  const auto& [less, more] = std::minmax(before, after);
  // Two infinities are the same too.
  if (more == less || more <= less * (1 + slack)) {
    return Change::same;
  }
  return (after > before) == figure.more_is_better ? Change::better : Change::worse;
}

std::vector<FigureChange> figure_changes(const CheckRecord& before, const CheckRecord& after, double slack) {
  std::vector<FigureChange> result;
  for (std::size_t i = 0; i < figure_kinds.size(); ++i) {
    if (const auto& earlier = before.figures[i], &later = after.figures[i]; earlier && later) {
      const auto& figure = figure_kinds[i];
      result.push_back({&figure, *earlier, *later, change_of_figure(figure, *earlier, *later, slack)});
    }
  }
  return result;
}

/// Whether a check of one tensor looked at all of it, in this run.
bool looks_at_all(const VerdictDocument& document, std::string_view id) {
  const auto tensor = id.substr(std::min(id.find('/'), id.size() - 1) + 1);
  return document.whole_roles.find(fmt::format(", {}, ", tensor)) != std::string::npos;
}

bool same_elements(const VerdictDocument& before, const VerdictDocument& after, const CheckRecord& earlier,
                   const CheckRecord& later) {
  const bool same_positions = before.rows == after.rows && before.least_position == after.least_position &&
                              before.greatest_position == after.greatest_position;
  const bool same_sample =
      before.seed == after.seed || (looks_at_all(before, later.id) && looks_at_all(after, later.id));
  return same_positions && same_sample && earlier.elements == later.elements;
}

Change change_of_figures(std::span<const FigureChange> figures) {
  auto result = Change::same;
  for (const auto& [figure, before, after, change] : figures) {
    result = figure->decides ? std::min(result, change) : result;
  }
  return result;
}

Change change_of_check(const CheckChange& check) {
  const bool was_judged = check.before != nullptr && check.before->is_judged();
  const bool is_judged = check.after != nullptr && check.after->is_judged();
  if (!was_judged && !is_judged) {
    return Change::same;
  }
  if (!was_judged) {
    return rank_of(check.after->status) <= rank_of(Status::error) ? Change::worse : Change::added;
  }
  if (!is_judged) {
    return Change::gone;
  }
  const auto of_status = change_of(rank_of(check.after->status), rank_of(check.before->status));
  return of_status == Change::same && check.figures_count ? change_of_figures(check.figures) : of_status;
}

CheckChange changed(const VerdictDocument& before, const VerdictDocument& after, const std::string& id,
                    double slack) {
  CheckChange result{.id = id, .before = before.check_named(id), .after = after.check_named(id)};
  if (result.before != nullptr && result.after != nullptr) {
    result.figures = figure_changes(*result.before, *result.after, slack);
    result.figures_count = same_elements(before, after, *result.before, *result.after);
  }
  result.change = change_of_check(result);
  return result;
}

std::vector<std::string> notes_on(const VerdictDocument& before, const VerdictDocument& after) {
  std::vector<std::string> notes;
  const auto positions = [](const VerdictDocument& document) {
    return fmt::format("{} rows, positions {} to {}", document.rows, document.least_position,
                       document.greatest_position);
  };
  if (positions(before) != positions(after)) {
    notes.push_back(fmt::format("{} has {}; {} has {}: figures do not decide.", before.label,
                                positions(before), after.label, positions(after)));
  } else if (before.seed != after.seed) {
    notes.push_back(
        "The seeds differ: figures of samples do not decide; give both runs the same --seed to compare "
        "them.");
  }
  for (const auto& [role, contract] : after.contracts) {
    const auto earlier = before.contracts.find(role);
    if (earlier != before.contracts.end() && earlier->second != contract) {
      notes.push_back(fmt::format("{} was held to the contract {} in {}, to {} in {}: their budgets differ.",
                                  role, earlier->second, before.label, contract, after.label));
    }
  }
  if (before.tool_version != after.tool_version) {
    notes.push_back(fmt::format("vernier {} judged {}, vernier {} {}.", before.tool_version, before.label,
                                after.tool_version, after.label));
  }
  return notes;
}

VerdictComparison compared(const VerdictDocument& before, const VerdictDocument& after, double slack) {
  VerdictComparison result{.before = &before,
                           .after = &after,
                           .conclusion = change_of(badness(before.conclusion), badness(after.conclusion)),
                           .stale_waivers = change_of(before.stale_waivers, after.stale_waivers),
                           .checks = {},
                           .notes = notes_on(before, after)};
  for (const auto* document : {&after, &before}) {
    for (const auto& check : document->checks) {
      if (document == &after || after.check_named(check.id) == nullptr) {
        result.checks.push_back(changed(before, after, check.id, slack));
      }
    }
  }
  return result;
}

}  // namespace

std::string_view to_string(Change change) {
  static constexpr std::array<std::string_view, 5> names{"worse", "gone", "new", "better", "same"};
  return names[static_cast<std::size_t>(change)];
}

bool VerdictComparison::got_worse() const {
  return count(Change::worse) > 0 || conclusion == Change::worse || stale_waivers == Change::worse;
}

std::vector<VerdictComparison> compared_with_first(std::span<const VerdictDocument> documents, double slack) {
  std::vector<VerdictComparison> result;
  const auto& first = documents.front();
  for (const auto& document : documents.subspan(1)) {
    require_same_spec(document, first);
    result.push_back(compared(first, document, slack));
  }
  return result;
}

std::string finding_of(const VerdictComparison& comparison) {
  std::vector<std::string> parts;
  const auto add = [&](Change change, std::string_view words) {
    if (const auto count = comparison.count(change); count > 0) {
      // The first one says what is counted: "2 checks got worse, 1 got better".
      parts.push_back(parts.empty() ? counted(count, "check", "checks") + fmt::format(" {}", words)
                                    : fmt::format("{} {}", count, words));
    }
  };
  add(Change::worse, "got worse");
  add(Change::gone, comparison.count(Change::gone) == 1 ? "is gone" : "are gone");
  add(Change::better, "got better");
  add(Change::added, comparison.count(Change::added) == 1 ? "is new" : "are new");
  add(Change::same, comparison.count(Change::same) == 1 ? "is the same" : "are the same");
  std::string text = parts.empty() ? "there are no checks" : joined(parts);
  if (comparison.conclusion != Change::same) {
    text += fmt::format("; the verdict changed from \"{}\" to \"{}\"",
                        in_words(comparison.before->conclusion), in_words(comparison.after->conclusion));
  }
  if (comparison.stale_waivers == Change::worse) {
    text += "; " + counted(comparison.after->stale_waivers, "waiver is stale", "waivers are stale");
  }
  return text;
}

}  // namespace vernier
