#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/outputs/comparisons/verdict_document.hpp"

namespace vernier {

/// Runs in the order in which they were appended.
using RunHistory = std::vector<RecordedRun>;

/// Reads a file of JSON lines, of whatever cases; one that is not there holds no runs. \throws InputError
/// naming file, line and key for a line that is none of a history
RunHistory read_history(const std::string& file);

/// The file with some runs more, for it to be replaced by. \throws InputError as `read_history`: what is no
/// history is not written over
std::string history_text(const std::string& file, std::span<const RecordedRun> more);

/// Those on the case of a run, by the same implementation.
RunHistory runs_of_case(const RunHistory& history, const RecordedRun& run);

/// The share of its budget that a check used in each run; of `id` empty the greatest of all checks that are
/// not waived. NaN where there is none.
std::vector<double> budget_trend(const RunHistory& history, std::string_view id);

}  // namespace vernier
