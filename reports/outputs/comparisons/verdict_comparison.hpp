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

}  // namespace vernier
