#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/outputs/comparisons/verdict_document.hpp"

namespace vernier {

/// What became of a check or a figure, from one run to another. The order is that of lists, the worst first.
enum class Change { worse, gone, added, better, same };
std::string_view to_string(Change change);

/// A figure in both runs.
struct FigureChange {
  const FigureKind* figure = nullptr;
  double before = 0;
  double after = 0;
  Change change = Change::same;  ///< worse, better or same
};

/// A check in two runs.
struct CheckChange {
  std::string id;
  const CheckRecord* before = nullptr;  ///< null where there was none; of the documents that were compared
  const CheckRecord* after = nullptr;
  Change change = Change::same;
  std::vector<FigureChange> figures = {};  ///< that both have
  bool figures_count = true;               ///< both looked at the same elements
};

/// Two verdicts on one encoding.
struct VerdictComparison {
  const VerdictDocument* before = nullptr;
  const VerdictDocument* after = nullptr;
  Change conclusion = Change::same;
  Change stale_waivers = Change::same;
  std::vector<CheckChange> checks;  ///< in the order of the second, then those that are gone
  std::vector<std::string> notes;   ///< a sentence for each way in which the runs themselves differ

  std::size_t count(Change change) const {
    return static_cast<std::size_t>(std::ranges::count(checks, change, &CheckChange::change));
  }
  /// Whether a check, the conclusion or the waivers did.
  bool got_worse() const;
};

/// Compares each run but the first with the first: an earlier one, or another implementation's.
///
/// A check is worse if its status is: pass, waived, inconclusive, error, fail, in this order. Where the
/// status is the same, it is worse if any figure that decides is, else better if any is. A check that is
/// judged for the first time is added, or worse where it fails or is in error; one that is judged no more is
/// gone.
///
/// Figures of samples say something of each other only if the same elements were sampled: where positions,
/// the number of elements or seeds differ, they are told and do not decide. A tensor that both runs asked for
/// whole is no sample.
/// \param slack how much greater a figure may be and count as the same, relatively: 0.01
/// \pre the documents outlive the result \throws InputError where their specs differ
std::vector<VerdictComparison> compared_with_first(std::span<const VerdictDocument> documents, double slack);

/// What was found: "2 checks got worse, 1 got better, 41 are the same".
std::string finding_of(const VerdictComparison& comparison);

/// Verdicts that were compared, and the runs before them.
struct ComparedVerdicts {
  std::span<const VerdictDocument> documents;     ///< two or more
  std::span<const VerdictComparison> with_first;  ///< one for each document but the first
  RunHistory history = {};  ///< the last document's run included; empty where none is kept
};

/// The first line: what was found.
std::string comparison_headline(const ComparedVerdicts& verdicts);

/// How the runs themselves differ, a visible sentence each.
std::vector<std::string> all_notes(const ComparedVerdicts& verdicts);

/// What the terminal shows: the finding, the verdicts, then the checks, the worst first.
/// \param in_full with all checks and all figures
std::string comparison_text(const ComparedVerdicts& verdicts, bool in_full);

/// The same as JSON.
std::string comparison_json(const ComparedVerdicts& verdicts);

/// The same as one self-contained page.
std::string comparison_page(const ComparedVerdicts& verdicts);

/// A check in all documents.
struct ComparedCheck {
  std::string id;
  Change change = Change::same;            ///< the worst of any document
  std::vector<const CheckRecord*> states;  ///< one for each document; null where it has none
  /// One for each document but the first; null where neither has it.
  std::vector<const CheckChange*> changes;
  std::size_t worst = 0;  ///< of the changes: the one that is worst
};

/// All checks, the worst first.
std::vector<ComparedCheck> ranked_checks(const ComparedVerdicts& verdicts);

/// How a check did in a run, in a few words: "pass, 24.9 %", "fail, 1.41 times", "skipped"; "none" of null.
std::string state_text(const CheckRecord* check);

/// Why a check changed: its status and figures in both runs, and the reason of the later one.
std::string check_change_text(const CheckChange& check);

/// `budget_trend` as a small line (html/charts/sparkline.hpp), the numbers told to who cannot see it.
std::string trend_picture(const RunHistory& history, std::string_view id);

/// Of a budget: "41 %", "1.41 times", "none" of NaN.
std::string budget_share_text(double share);

}  // namespace vernier
