#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "numerics/errors/error_map.hpp"
#include "numerics/errors/error_statistics.hpp"
#include "numerics/processes/response.hpp"
#include "reference/json/json.hpp"
#include "reference/tables/phases.hpp"
#include "reports/outputs/comparisons/verdict_document.hpp"

namespace vernier {

/// The greatest error among the positions up to one.
struct LeagueError {
  std::int64_t last_position = 0;
  double error = 0;  ///< of any element; infinite with a number that is not finite
};

/// How the tables of an implementation that answered were found to be.
struct LeagueResult {
  std::uint64_t elements = 0;
  std::uint64_t failing = 0;         ///< beyond the contract's budget
  std::uint64_t inconclusive = 0;    ///< whose budget proves nothing
  ErrorStatistics statistics;        ///< of all tables of the encoding
  double greatest_budget_ratio = 0;  ///< the largest share of its budget that a conclusive element takes
  std::optional<std::int64_t> first_unusable;  ///< the first position off by more than usable_error
  std::vector<LeagueError> growth;             ///< by band of positions, ascending
  ErrorMap errors = {};                        ///< of all tables
  bool watched = false;                        ///< whether side effects would have been seen
  std::vector<SideEffect> side_effects = {};
};

/// One implementation on one encoding.
struct ComparedImplementation {
  std::string name;   ///< as listed
  std::string found;  ///< its name and version in its own words; empty if it was not found. Third-party text
  std::string encoding;  ///< in words
  std::string stored;    ///< the type of its tables
  std::string contract;
  std::int64_t positions = 0;  ///< 0 .. positions - 1 were asked for
  /// What was measured of tables: theirs, or the rotations of unit vectors, which are the table.
  bool by_rotation = false;
  std::optional<LeagueResult> result = std::nullopt;
  OrderedJson spec = {};    ///< with all defaults; null if no result
  std::string reason = {};  ///< why there is no result: absent, unsupported, crashed ...
};

/// Asks every implementation of a list for the tables of its encodings and audits them. One that is absent,
/// crashes or answers nonsense is an entry that says so. Several are asked at once.
/// \param limit only positions below it \param progress told one phase
/// \throws InputError for a list that is none
std::vector<ComparedImplementation> study_implementations(const std::filesystem::path& list,
                                                          std::int64_t limit, const PhaseListener& progress);

/// The judgement of an implementation's tables as a history holds it. The case is all that the figures depend
/// on: encoding, format, contract and positions. \param label empty for the implementation's name and version
/// in its own words \pre it has a result
RecordedRun history_entry(const ComparedImplementation& judged, const std::string& label);

/// Of a list the entries that have a result.
RunHistory history_entries(const std::vector<ComparedImplementation>& list, const std::string& label);

/// The runs of a history that can be compared with a judgement: of its case, on its spec.
RunHistory runs_like(const RunHistory& history, const ComparedImplementation& judged);

}  // namespace vernier
