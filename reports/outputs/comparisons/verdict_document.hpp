#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Of statuses, the worst first: fail is 0, skipped 5.
int rank_of(Status status);

/// The figure of a check that its budget is about.
inline constexpr std::string_view budget_figure = "the share of the budget";

/// Something that checks measure, and where a verdict document has it.
struct FigureKind {
  std::string_view name;  ///< "the largest error in ulp"
  std::string_view path;  ///< keys within the check, joined by dots
  bool more_is_better = false;
  bool decides = true;  ///< whether the check is worse where this is
};

/// All, in the order in which they are told. Near the zeros of a sine an error in ulp says nothing of how
/// good a table is.
inline constexpr std::array<FigureKind, 9> figure_kinds{{
    {budget_figure, "greatest_budget_ratio"},
    {"the share that fails", "counts.failing"},
    {"the share that is inconclusive", "counts.inconclusive"},
    {"the root mean square error", "statistics.absolute.rms"},
    {"the largest absolute error", "statistics.absolute.max"},
    {"the most phase roundings", "statistics.phase_roundings.max"},
    {.name = "the largest error in ulp", .path = "statistics.ulp.max", .decides = false},
    {"the share that is correctly rounded", "statistics.correctly_rounded_share", true},
    {"the share that is faithful", "statistics.faithful_share", true},
}};

/// A check of a run, as a verdict document or a history tells it.
struct CheckRecord {
  std::string id;
  Status status = Status::skipped;
  std::string reason = {};  ///< empty in a history, as the elements and all figures but the first
  std::uint64_t elements = 0;
  /// One for each of `figure_kinds`, >= 0; infinite also where the document says "nan".
  std::array<std::optional<double>, figure_kinds.size()> figures = {};

  bool is_judged() const { return status != Status::skipped; }
  /// The greatest share of its budget that anything used.
  const std::optional<double>& budget_ratio() const { return figures.front(); }
};

/// The element of a list with this id; null where there is none.
template <class Record>
const Record* record_named(const std::vector<Record>& records, std::string_view id) {
  for (const auto& record : records) {
    if (record.id == id) {
      return &record;
    }
  }
  return nullptr;
}

/// The key figures of a run: a line of a history file, and the beginning of what a verdict document says.
struct RecordedRun {
  std::string source = {};  ///< where it was read: a file, or "history.jsonl, run 2"; empty of a new one
  std::string label;        ///< what to call it: a commit, a date, a file's name without folder and extension
  std::string name;         ///< of the case
  /// As a list of implementations names it; empty of a case that no list made.
  std::string implementation = {};
  std::string producer;
  std::string tool_version;
  Conclusion conclusion = Conclusion::nothing_checked;
  OrderedJson spec = {};
  std::vector<CheckRecord> checks = {};

  const CheckRecord* check_named(std::string_view id) const { return record_named(checks, id); }
};

/// What a verdict document says that can be compared with another.
struct VerdictDocument : RecordedRun {
  std::string summary = {};
  std::int64_t rows = 0;
  std::int64_t least_position = 0;
  std::int64_t greatest_position = 0;
  std::map<std::string, std::string> contracts = {};  ///< by role
  std::string seed = {};                              ///< of a run that samples; empty of any other
  std::string whole_roles = ", ";  ///< tensors that were asked for at every position, each with ", " after it
  std::size_t stale_waivers = 0;
};

/// Reads what `validate --json` wrote. \throws InputError naming the file and the key
VerdictDocument read_verdict_document(const std::string& file);

/// Makes sure that two runs are about one encoding. \throws InputError naming the first key that differs
void require_same_spec(const RecordedRun& run, const RecordedRun& first);

/// Adds a check under the id that it has now. Of several that one has replaced, the worst stays.
void add_current(std::vector<CheckRecord>& checks, CheckRecord check);

/// \name Read as the verdict document writes them. \throws InputError naming the key
/// @{
Conclusion read_conclusion(ObjectReader& reader, std::string_view key);
Status read_status(ObjectReader& reader, std::string_view key);
/// A number >= 0, or "infinity" or "nan", which both are infinite. Nothing where the document has none.
/// \param path keys joined by dots
std::optional<double> read_figure(const JsonValue& object, ObjectReader& reader, std::string_view path);
/// @}

/// Runs in the order in which they were appended.
using RunHistory = std::vector<RecordedRun>;

/// Reads a file of JSON lines, of whatever cases; one that is not there holds no runs. \throws InputError
/// naming file, line and key for a line that is none of a history
RunHistory read_history(const std::string& file);
/// The same of the text of one.
RunHistory parse_history(const std::string& text, const std::string& file);

/// The file with some runs more, for it to be replaced by. \throws InputError as `read_history`: what is no
/// history is not written over
std::string history_text(const std::string& file, std::span<const RecordedRun> more);

/// Those on the case of a run, by the same implementation.
RunHistory runs_of_case(const RunHistory& history, const RecordedRun& run);

/// The share of its budget that a check used in each run; of `id` empty the greatest of all checks that are
/// not waived. NaN where there is none.
std::vector<double> budget_trend(const RunHistory& history, std::string_view id);

}  // namespace vernier
