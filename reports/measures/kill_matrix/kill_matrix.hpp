#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/json/json.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"
#include "reports/measures/kill_matrix/naming.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier::kill_matrix {

struct KillOptions {
  DrawOptions drawn = {};
  int mutants = 1000;
  int honest = 200;
};

/// What became of an implementation.
enum class Fate {
  conforms,   ///< of a mutant: a miss
  undecided,  ///< nothing fails, and something is not concluded
  refused
};

/// A specimen without its design, and what was found.
struct Outcome {
  int index = 0;
  std::string words;                      ///< the encoding and how it is computed
  std::vector<PlantedFault> faults = {};  ///< none of an honest one
  Fate fate = Fate::conforms;
  std::string finding = {};                      ///< of the first check that does not pass, or the refusal
  std::vector<std::string> failing_checks = {};  ///< what fails, without the tensors: "accuracy"
  Naming naming = Naming::unexplained;
  std::vector<std::string> told = {};    ///< the ids of what the diagnosis says
  std::vector<std::string> untrue = {};  ///< of these, those that name no fault
  /// Of each project test, whether it passes; nothing where the project has no such test.
  std::vector<std::optional<bool>> passes = {};
  double seconds = 0;  ///< of the verdict

  bool caught() const { return fate == Fate::refused; }
  /// Whether findings can name every fault.
  bool is_nameable() const;
};

/// What a verdict on a specimen amounts to, but for the project tests and the seconds.
Outcome outcome_of(const Specimen& specimen, const Verdict& verdict);

struct KillMatrix {
  KillOptions options;
  std::vector<Outcome> mutants;
  std::vector<Outcome> honest;
};

/// Draws, judges, and asks the project tests. \param progress called after each, from any thread
KillMatrix measure_kills(const KillOptions& options, const std::function<void()>& progress);

/// One of them again: its spec, its verdict in full, and what the project tests say, as text. \param index of
/// a mutant if not negative, else of the honest one -1 - index
std::string retell(const KillOptions& options, int index);

/// \name Counts
/// @{
/// How many mutants there are of a kind, or altogether, and what became of them.
struct KindCount {
  std::string_view kind;  ///< the id of a fault; of mutants with two, of each
  std::size_t mutants = 0;
  std::size_t caught = 0;
  std::size_t undecided = 0;
  std::size_t named = 0;
  std::size_t in_part = 0;
  std::size_t unexplained = 0;
  std::size_t falsely_named = 0;
};
KindCount count_all(const std::vector<Outcome>& outcomes);
/// Of those alone every fault of which a computation can predict: noise has no name.
KindCount count_nameable(const std::vector<Outcome>& mutants);
/// In the order of the kinds; those that were drawn.
std::vector<KindCount> count_by_kind(const std::vector<Outcome>& mutants);

/// Of a check or of a project test: how many mutants it catches, and how many honest ones it refuses.
struct KillerCount {
  std::string name;
  std::size_t caught = 0;
  std::size_t alone =
      0;  ///< of these, those that no other check of the verdict, or test of the list, catches
  std::size_t tested = 0;  ///< mutants of which it says anything
  std::size_t alarms = 0;
  std::size_t honest = 0;  ///< honest ones of which it says anything
};
/// The one that catches most comes first.
std::vector<KillerCount> count_by_check(const KillMatrix& matrix);
/// In the order of the tests, and last what all of them together catch.
std::vector<KillerCount> count_by_project(const KillMatrix& matrix);

/// "planted X, told Y" and how often, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> confusions(const std::vector<Outcome>& mutants);

/// Whether no honest one is refused or accused, and no more mutants than these conform and are falsely named.
bool is_as_it_should_be(const KillMatrix& matrix, std::size_t most_misses, std::size_t most_false_names);

/// The seconds that a share of the verdicts took at most; zero if there are none.
double quantile_of_seconds(const KillMatrix& matrix, double share);
/// @}

/// What the diagnosis leaves open of a mutant that is caught and not falsely named: it says nothing, or not
/// all.
bool is_left_open(const Outcome& mutant);

/// "positions/offset, by 1, and storage/row-zero, cos at position 7; 300 and 7 times their budgets"
std::string fault_words(const Outcome& outcome);

/// \name The matrix: tables, every mutant that is not killed, every false name and false alarm in a line
/// @{
std::string to_text(const KillMatrix& matrix, bool with_times);
OrderedJson to_json(const KillMatrix& matrix);
/// @}

}  // namespace vernier::kill_matrix
