#include <algorithm>
#include <map>

#include "reference/support/word_list.hpp"
#include "reports/measures/kill_matrix/kill_matrix.hpp"
#include "reports/measures/kill_matrix/project.hpp"

namespace vernier::kill_matrix {
namespace {

void add_outcome(KindCount& count, const Outcome& outcome) {
  ++count.mutants;
  count.caught += outcome.caught() ? 1 : 0;
  count.undecided += outcome.fate == Fate::undecided ? 1 : 0;
  if (!outcome.caught()) {
    return;
  }
  switch (outcome.naming) {
    case Naming::named:
      ++count.named;
      return;
    case Naming::in_part:
      ++count.in_part;
      return;
    case Naming::unexplained:
      ++count.unexplained;
      return;
    case Naming::falsely_named:
      ++count.falsely_named;
  }
}

bool fails(const Outcome& outcome, std::size_t test) {
  return outcome.passes[test] == std::optional(false);
}

std::string kinds_text(const Outcome& outcome) {
  std::vector<std::string> kinds;
  for (const auto& fault : outcome.faults) {
    kinds.emplace_back(fault.kind->id);
  }
  return joined(kinds, " and ");
}

}  // namespace

bool Outcome::is_nameable() const {
  return std::ranges::none_of(faults, [](const PlantedFault& fault) { return fault.names.empty(); });
}

bool is_left_open(const Outcome& mutant) {
  return mutant.caught() && (mutant.naming == Naming::unexplained || mutant.naming == Naming::in_part);
}

KindCount count_all(const std::vector<Outcome>& outcomes) {
  KindCount count{"all"};
  for (const auto& outcome : outcomes) {
    add_outcome(count, outcome);
  }
  return count;
}

KindCount count_nameable(const std::vector<Outcome>& mutants) {
  KindCount count{"those that have a name"};
  for (const auto& mutant : mutants) {
    if (mutant.is_nameable()) {
      add_outcome(count, mutant);
    }
  }
  return count;
}

std::vector<KindCount> count_by_kind(const std::vector<Outcome>& mutants) {
  std::vector<KindCount> counts;
  for (const auto* kind : stored_kinds()) {
    KindCount count{kind->id};
    for (const auto& mutant : mutants) {
      if (std::ranges::find(mutant.faults, kind, &PlantedFault::kind) != mutant.faults.end()) {
        add_outcome(count, mutant);
      }
    }
    if (count.mutants > 0) {
      counts.push_back(count);
    }
  }
  return counts;
}

std::vector<KillerCount> count_by_check(const KillMatrix& matrix) {
  std::map<std::string, KillerCount> by_name;
  for (const auto& mutant : matrix.mutants) {
    for (const auto& name : mutant.failing_checks) {
      auto& count = by_name[name];
      ++count.caught;
      count.alone += mutant.failing_checks.size() == 1 ? 1 : 0;
    }
  }
  for (const auto& honest : matrix.honest) {
    for (const auto& name : honest.failing_checks) {
      ++by_name[name].alarms;
    }
  }
  std::vector<KillerCount> counts;
  for (auto& [name, count] : by_name) {
    count.name = name;
    count.tested = matrix.mutants.size();
    count.honest = matrix.honest.size();
    counts.push_back(std::move(count));
  }
  std::ranges::stable_sort(counts, std::greater(), &KillerCount::caught);
  return counts;
}

std::vector<KillerCount> count_by_project(const KillMatrix& matrix) {
  const auto& tests = project_tests();
  std::vector<KillerCount> counts;
  for (std::size_t test = 0; test < tests.size(); ++test) {
    KillerCount count{std::string(tests[test].project)};
    for (const auto& mutant : matrix.mutants) {
      count.tested += mutant.passes[test] ? 1 : 0;
      count.caught += fails(mutant, test) ? 1 : 0;
      count.alone += fails(mutant, test) && std::ranges::count(mutant.passes, std::optional(false)) == 1;
    }
    for (const auto& honest : matrix.honest) {
      count.honest += honest.passes[test] ? 1 : 0;
      count.alarms += fails(honest, test) ? 1 : 0;
    }
    counts.push_back(std::move(count));
  }
  KillerCount together{"all of them together"};
  const auto any = [](const Outcome& outcome, auto judged) {
    return std::ranges::any_of(outcome.passes, judged);
  };
  const auto is_tested = [](const std::optional<bool>& passes) { return passes.has_value(); };
  const auto is_caught = [](const std::optional<bool>& passes) { return passes == std::optional(false); };
  for (const auto& mutant : matrix.mutants) {
    together.tested += any(mutant, is_tested) ? 1 : 0;
    together.caught += any(mutant, is_caught) ? 1 : 0;
  }
  for (const auto& honest : matrix.honest) {
    together.honest += any(honest, is_tested) ? 1 : 0;
    together.alarms += any(honest, is_caught) ? 1 : 0;
  }
  counts.push_back(std::move(together));
  return counts;
}

std::vector<std::pair<std::string, std::size_t>> confusions(const std::vector<Outcome>& mutants) {
  std::map<std::string, std::size_t> by_words;
  for (const auto& mutant : mutants) {
    for (const auto& id : mutant.untrue) {
      ++by_words["planted " + kinds_text(mutant) + ", told " + id];
    }
  }
  std::vector<std::pair<std::string, std::size_t>> result(by_words.begin(), by_words.end());
  std::ranges::stable_sort(result, std::greater(), [](const auto& pair) { return pair.second; });
  return result;
}

bool is_as_it_should_be(const KillMatrix& matrix, std::size_t most_misses, std::size_t most_false_names) {
  const auto is_wrong = [](const Outcome& honest) {
    return honest.fate == Fate::refused || !honest.told.empty();
  };
  const auto misses = std::ranges::count(matrix.mutants, Fate::conforms, &Outcome::fate);
  const auto false_names = std::ranges::count(matrix.mutants, Naming::falsely_named, &Outcome::naming);
  return std::ranges::none_of(matrix.honest, is_wrong) && static_cast<std::size_t>(misses) <= most_misses &&
         static_cast<std::size_t>(false_names) <= most_false_names;
}

double quantile_of_seconds(const KillMatrix& matrix, double share) {
  std::vector<double> seconds;
  for (const auto* group : {&matrix.mutants, &matrix.honest}) {
    for (const auto& one : *group) {
      seconds.push_back(one.seconds);
    }
  }
  if (seconds.empty()) {
    return 0;
  }
  std::ranges::sort(seconds);
  return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
}

std::string fault_words(const Outcome& outcome) {
  std::vector<std::string> words;
  for (const auto& fault : outcome.faults) {
    words.push_back(std::string(fault.kind->id) + ", " + fault.words + " (" + rates::number(fault.size) +
                    " times its budget)");
  }
  return joined(words, ", and ");
}

}  // namespace vernier::kill_matrix
