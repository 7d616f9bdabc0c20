#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/position_sample.hpp"
#include "numerics/audit/failing_extent.hpp"
#include "numerics/budgets/budget.hpp"
#include "numerics/computation/finding.hpp"
#include "numerics/errors/error_map.hpp"
#include "numerics/errors/error_statistics.hpp"
#include "numerics/identification/error_split.hpp"
#include "reference/json/json.hpp"
#include "reference/numbers/format.hpp"
#include "reference/tables/position_map.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

struct Cost;

enum class Status { pass, fail, waived, inconclusive, skipped, error };
std::string_view to_string(Status status);
/// Of elements that were judged: fail with any beyond its budget, else inconclusive with any whose budget
/// proves nothing.
Status status_of(std::uint64_t failing, std::uint64_t inconclusive);

enum class Conclusion { conforms, does_not_conform, inconclusive, nothing_checked };
std::string_view to_string(Conclusion outcome);
/// The same in running text: "does not conform".
std::string_view in_words(Conclusion outcome);

/// One element of a tensor, told in full.
struct ElementWitness {
  std::string role = {};
  std::size_t row = 0;
  std::int64_t position = 0;
  std::size_t column = 0;
  Column meaning = {};  ///< which pair and component the column holds
  Format format = Format::binary64;
  double got = 0;
  std::optional<double> expected = std::nullopt;  ///< the truth correctly rounded; nothing if undecided
  std::string truth = {};                         ///< the truth in decimal, some 20 digits of it
  double absolute = 0;                            ///< got - truth
  double ulps = 0;                                ///< the same in ulp of the truth
  double phase_roundings = 0;                     ///< the same in units of u (1 + |phase|) amplitude
  std::optional<std::uint64_t> steps =
      std::nullopt;  ///< values of the format between expected and got; nothing if there is no such count
  Budget budget = {};
  double budget_ratio = 0;  ///< |absolute| / budget; infinite for a non-finite element
  /// Of the copy of the rows (batch, head) that `row` is counted in; empty where there is only one.
  std::vector<std::size_t> leading_index = {};
  /// The position as it was given, where that is more than the integer `position`: "0.5".
  std::optional<std::string> real_position = std::nullopt;

  std::string position_text() const { return real_position.value_or(std::to_string(position)); }
};

/// How many things a check looked at, and what became of them.
struct Counts {
  std::uint64_t elements = 0;
  std::uint64_t judged = 0;        ///< conclusively
  std::uint64_t failing = 0;       ///< of those judged
  std::uint64_t inconclusive = 0;  ///< their budget proves nothing
};

/// A waiver that covers what fails in a check.
struct AppliedWaiver {
  std::string reason;   ///< why the failure is put up with
  std::string issue;    ///< where it is tracked
  std::string expires;  ///< "2027-03-31", the last day on which it holds
  std::string ceiling;  ///< in words, how bad the failure may be
  std::string failure;  ///< the check's own reason for failing
};

struct Check {
  std::string id;  ///< stable: "accuracy/cos"
  Status status = Status::skipped;
  std::string reason = {};    ///< one sentence: why this status
  std::string required = {};  ///< what was required, and why
  Counts counts = {};
  std::optional<ErrorStatistics> statistics = std::nullopt;
  std::optional<ElementWitness> first_failing = std::nullopt;
  std::optional<ElementWitness> worst = std::nullopt;
  /// A counterexample that is not about one element: names and values.
  std::vector<std::pair<std::string, std::string>> counterexample = {};
  /// The greatest share of its budget that anything used: more than 1 fails. Nothing where there is no
  /// budget.
  std::optional<double> greatest_budget_ratio = std::nullopt;
  /// A box around all that fails. Nothing where the check cannot tell, or nothing fails.
  std::optional<FailingExtent> failing_extent = std::nullopt;
  /// How much of their budgets the elements use, by pair and octave of positions. Nothing of a tensor whose
  /// elements belong to no pairs.
  std::optional<ErrorMap> error_map = std::nullopt;
  std::optional<ErrorSplit> split = std::nullopt;      ///< which stages the errors of the tensor stem from
  std::optional<AppliedWaiver> waiver = std::nullopt;  ///< of a check that is waived
  /// Whether the same question has other answers, so that what is said of their values holds of some only.
  bool values_vary = false;
  /// What is wrong, as a clause: "positions are not read: row r holds position r". Of a check of behaviour
  /// that fails.
  std::string finding = {};
  /// The clause of `reason` that a user has to know though the check passes; mostly empty.
  std::string note = {};
  std::optional<Boundary> boundary = std::nullopt;  ///< of a live question that failed
};

/// A waiver that does not describe this run: expired, not needed, or of no check that there is.
struct StaleWaiver {
  std::string check;
  std::string issue;
  std::string problem;  ///< one clause: "it expired on 2026-03-31"
};

/// The contract that a tensor was held to.
struct ContractUse {
  std::string role;
  std::string stored;  ///< the tensor's element type
  std::string id;
  std::string meaning;
  std::string budget;
};

/// Which share of the positions an implementation was asked for some tensors.
struct Coverage {
  std::string roles;  ///< "cos, sin"
  PositionCoverage positions;
};

/// What an implementation was asked, and how.
struct Asking {
  std::vector<Coverage> coverage = {};  ///< of what was answered
  bool quick = false;                   ///< a small sample was wanted
  std::vector<std::string> notes = {};  ///< a sentence for each thing that it takes in one way only

  /// The least share of the positions that any tensor was asked for; 1 if there is none.
  double least_share() const;
};

/// Everything a run found: the one document from which every output is derived.
struct Verdict {
  std::string name = {};      ///< of the case
  std::string producer = {};  ///< may be empty
  std::string encoding = {};  ///< in words
  OrderedJson spec = {};      ///< with all defaults
  /// "as written: the code of ... is not known to Vernier"; empty for a spec, and where the code is known.
  std::string as_written = {};
  std::vector<ContractUse> contracts = {};
  std::string source = {};  ///< the file that says what is judged: a case or a spec; may be empty
  std::uint64_t rows = 0;
  std::int64_t least_position = 0;  ///< along any axis
  std::int64_t greatest_position = 0;
  PositionMap places = {};  ///< which positions those places are of
  std::vector<Check> checks = {};
  std::vector<StaleWaiver> stale_waivers = {};
  std::vector<Diagnosis> diagnosis = {};  ///< why tensors fail; empty where none does
  Asking asking = {};                     ///< of a run that asks
  /// Contracts that tables and rotated vectors keep where they break the ones that they were held to.
  std::vector<std::string> kept_contracts = {};
  /// Which arithmetic predicts every bit of tables and vectors that conform, where that was asked for; a
  /// sentence, or empty.
  std::string arithmetic = {};
  std::optional<std::uint64_t> seed = std::nullopt;  ///< of a run that samples
  std::string reproduce = {};                        ///< a command; may be empty
  /// What the errors of the tables of a rotary encoding cost attention. Null where there are none, or nobody
  /// asks.
  std::shared_ptr<const Cost> cost = nullptr;
};

/// How many checks have a status.
std::uint64_t count_of(const Verdict& verdict, Status status);
/// Any failure: does not conform; else anything inconclusive or in error: inconclusive; else a pass is needed
/// to conform.
Conclusion outcome(const Verdict& verdict);

/// 5 if a waiver is stale, whatever else was found: it says something untrue of this implementation. Else 0
/// conforms, 1 does not, 3 a check could not be carried out, 4 inconclusive or nothing checked.
int exit_code(const Verdict& verdict);

/// The outcome in words, with what was put up with: "conforms, with 2 waived failures and 1 stale waiver".
std::string headline(const Verdict& verdict);

/// What was found, without a capital or a full stop: "the base is 10001, not 10000", or "unexplained".
std::string sentence_of(const Diagnosis& diagnosis);
/// The same of all tensors that fail, or the contract that they keep where nothing explains them, after what
/// makes their values doubtful: the same question has other answers. Where none fails, the finding of the
/// first check of behaviour that does. Empty where nothing is known but which checks fail.
std::string sentence_of(const Verdict& verdict);

/// Whether it is a check of the tensors that are diagnosed.
bool is_about(const Check& check, const Diagnosis& diagnosis);

/// Some sentences: the finding, the outcome, by what it was decided, and the worst element.
std::string summary(const Verdict& verdict);
/// The worst element of all checks that are not waived: the largest share of its budget that one uses.
std::optional<double> greatest_budget_ratio(const Verdict& verdict);
/// The ids of the checks of some statuses: "accuracy/cos, finite/cos".
std::string ids_of(const Verdict& verdict, std::initializer_list<Status> statuses);

}  // namespace vernier
