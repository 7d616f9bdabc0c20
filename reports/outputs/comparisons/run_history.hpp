#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/outputs/comparisons/verdict_document.hpp"

namespace vernier {

/// A check in a run that a history holds.
struct HistoryCheck {
  std::string id;
  Status status = Status::skipped;
  std::optional<double> budget_ratio = std::nullopt;
};

/// The key figures of a run: a line of a history file.
struct HistoryEntry {
  std::string label;  ///< of the run: a commit, a date
  std::string name;   ///< of the case
  /// As a list of implementations names it; empty of a case that no list made.
  std::string implementation = {};
  std::string producer;
  std::string tool_version;
  Conclusion conclusion = Conclusion::nothing_checked;
  JsonValue spec = {};
  std::vector<HistoryCheck> checks = {};
  std::string source = {};  ///< where it was read, for sentences: "history.jsonl, run 2"; empty of a new one

  const HistoryCheck* check_named(std::string_view id) const;
};

/// Runs in the order in which they were appended.
using RunHistory = std::vector<HistoryEntry>;

/// \param label empty for the document's own
HistoryEntry history_entry(const VerdictDocument& document, const std::string& label);

/// Reads a file of JSON lines, of whatever cases; one that is not there holds no runs. \throws InputError
/// naming file, line and key for a line that is none of a history
RunHistory read_history(const std::string& file);

/// The file with some runs more, for it to be replaced by. \throws InputError as `read_history`: what is no
/// history is not written over
std::string history_text(const std::string& file, std::span<const HistoryEntry> more);

/// Those on the case of a run, by the same implementation.
RunHistory runs_of_case(const RunHistory& history, const HistoryEntry& run);

/// The share of its budget that a check used in each run; of `id` empty the greatest of all checks that are
/// not waived. NaN where there is none.
std::vector<double> budget_trend(const RunHistory& history, std::string_view id);

}  // namespace vernier
