#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/outputs/comparisons/run_history.hpp"
#include "reports/outputs/comparisons/verdict_comparison.hpp"

namespace vernier {

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
