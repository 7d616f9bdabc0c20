#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/measures/kill_matrix/kill_matrix.hpp"
#include "reports/measures/kill_matrix/project.hpp"

namespace vernier::kill_matrix {
namespace {

/// So many of the slowest verdicts are listed.
constexpr std::size_t slowest_listed = 20;

std::string row(const KindCount& count) {
  return fmt::format("{:<32}{:>8}{:>8}{:>10}{:>7}{:>9}{:>12}{:>14}\n", count.kind, count.mutants,
                     count.caught, count.undecided, count.named, count.in_part, count.unexplained,
                     count.falsely_named);
}

std::string row(const KillerCount& count) {
  return fmt::format("{:<32}{:>8}{:>8}{:>8}{:>8}{:>8}\n", count.name, count.tested, count.caught, count.alone,
                     count.honest, count.alarms);
}

template <class Unwelcome>
void list(std::ostream& out, const std::vector<Outcome>& outcomes, std::string_view heading,
          Unwelcome unwelcome) {
  bool first = true;
  for (const auto& one : outcomes) {
    if (!unwelcome(one)) {
      continue;
    }
    out << (first ? "\n" + std::string(heading) + "\n" : std::string());
    first = false;
    out << "  " << one.index << ": " << (one.faults.empty() ? "" : fault_words(one) + "; of ") << one.words
        << "\n";
    if (!one.finding.empty()) {
      out << "      " << one.finding.substr(0, 300) << "\n";
    }
    if (!one.told.empty()) {
      out << "      told: " << joined(one.told) << "\n";
    }
  }
}

void list_slowest(std::ostream& out, const KillMatrix& matrix) {
  std::vector<const Outcome*> all;
  for (const auto* group : {&matrix.mutants, &matrix.honest}) {
    for (const auto& one : *group) {
      all.push_back(&one);
    }
  }
  std::ranges::stable_sort(all, std::greater(), [](const Outcome* one) { return one->seconds; });
  out << "\nThe slowest verdicts\n";
  for (std::size_t i = 0; i < std::min(slowest_listed, all.size()); ++i) {
    const auto& one = *all[i];
    out << fmt::format("  {:.3f} s  {}: {}{}\n", one.seconds, one.index,
                       one.faults.empty() ? "honest; " : fault_words(one) + "; of ", one.words);
  }
}

}  // namespace

std::string to_text(const KillMatrix& matrix, bool with_times) {
  std::ostringstream out;
  const auto& drawn = matrix.options.drawn;
  out << fmt::format(
      "seed {}, {} mutants, {} honest, contexts up to {} positions, tables of about {} elements\n\n",
      drawn.seed, matrix.mutants.size(), matrix.honest.size(), drawn.longest, drawn.elements);
  out << fmt::format("{:<32}{:>8}{:>8}{:>10}{:>7}{:>9}{:>12}{:>14}\n", "fault", "mutants", "caught",
                     "undecided", "named", "in part", "unexplained", "falsely named");
  out << row(count_all(matrix.mutants)) << row(count_nameable(matrix.mutants));
  for (const auto& count : count_by_kind(matrix.mutants)) {
    out << row(count);
  }
  const auto killers = [&](std::string_view heading, const std::vector<KillerCount>& counts) {
    out << fmt::format("\n{:<32}{:>8}{:>8}{:>8}{:>8}{:>8}\n", heading, "tested", "caught", "alone", "honest",
                       "alarms");
    for (const auto& count : counts) {
      out << row(count);
    }
  };
  killers("check of Vernier", count_by_check(matrix));
  killers("test of a project", count_by_project(matrix));
  list(out, matrix.mutants, "Misses: mutants that conform",
       [](const Outcome& one) { return one.fate == Fate::conforms; });
  list(out, matrix.mutants, "Mutants of which nothing is decided",
       [](const Outcome& one) { return one.fate == Fate::undecided; });
  list(out, matrix.mutants, "False names",
       [](const Outcome& one) { return one.naming == Naming::falsely_named; });
  list(out, matrix.mutants, "Named in part: what is told is true, and not all",
       [](const Outcome& one) { return is_left_open(one) && one.naming == Naming::in_part; });
  list(out, matrix.mutants, "Unexplained, though a computation can predict them", [](const Outcome& one) {
    return is_left_open(one) && one.naming == Naming::unexplained && one.is_nameable();
  });
  list(out, matrix.mutants, "Unexplained, as they should be", [](const Outcome& one) {
    return is_left_open(one) && one.naming == Naming::unexplained && !one.is_nameable();
  });
  list(out, matrix.honest, "False alarms: honest, and refused",
       [](const Outcome& one) { return one.fate == Fate::refused; });
  list(out, matrix.honest, "Honest, and accused",
       [](const Outcome& one) { return one.fate != Fate::refused && !one.told.empty(); });
  list(out, matrix.honest, "Honest, and not decided",
       [](const Outcome& one) { return one.fate == Fate::undecided; });
  const auto confused = confusions(matrix.mutants);
  for (const auto& [words, count] : confused) {
    out << (words == confused.front().first ? "\nConfusions\n" : "") << "  " << words << ": " << count
        << "\n";
  }
  out << fmt::format("\nseconds a verdict: median {:.3f}, 95th percentile {:.3f}, most {:.3f}\n",
                     quantile_of_seconds(matrix, 0.5), quantile_of_seconds(matrix, 0.95),
                     quantile_of_seconds(matrix, 1));
  if (with_times) {
    list_slowest(out, matrix);
  }
  return out.str();
}

}  // namespace vernier::kill_matrix
