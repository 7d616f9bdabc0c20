#include "reports/measures/vector_choice/choice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include "reports/exchange/vectors/row_flags.hpp"
#include "reports/measures/kill_matrix/mutant.hpp"
#include "reports/measures/rates/honest.hpp"
#include "reports/measures/rates/specimen.hpp"
#include "reports/measures/vector_choice/candidates.hpp"

namespace vernier {
namespace {

/// \name Streams of draws
/// @{
constexpr std::uint64_t mutants_stream = 0;
constexpr std::uint64_t honest_stream = 1;
/// @}

/// A kind that so many designs cannot have is one that no group can have.
constexpr int most_trial_designs = 400;
/// No row is worth its bytes for fewer mutants.
constexpr int least_refused = 2;

rates::Design draw_design(const VectorTrial& trial, rates::Draw& draw) {
  return rates::draw_honest_of(draw, trial.group().spec.dump(), trial.group().length);
}

Tried try_mutant(const std::vector<VectorTrial>& trials, rates::Draw draw, int index) {
  const auto& kinds = kill_matrix::stored_kinds();
  const auto& kind = *kinds[rates::kind_in_turn(index, kinds.size())];
  for (int attempt = 0; attempt < most_trial_designs; ++attempt) {
    const auto group = draw.index(trials.size());
    const auto honest = draw_design(trials[group], draw);
    const auto faulty = plant_in(kind, honest, honest, draw);
    if (!faulty) {
      continue;
    }
    if (auto refusal = trials[group].judge(faulty->design)) {
      return {group, std::string(kind.id), faulty->planted.words + "; of " + rates::description_of(honest),
              *std::move(refusal)};
    }
  }
  return {std::nullopt, std::string(kind.id), "no encoding of the vectors can have it"};
}

Tried try_honest_one(const std::vector<VectorTrial>& trials, rates::Draw draw, int /*index*/) {
  for (;;) {
    const auto group = draw.index(trials.size());
    const auto design = draw_design(trials[group], draw);
    if (auto refusal = trials[group].judge(design)) {
      return {group, {}, rates::description_of(design), *std::move(refusal)};
    }
  }
}

/// \param one tries what is drawn
template <class One>
std::vector<Tried> try_all(const std::vector<VectorTrial>& trials, std::uint64_t seed, std::uint64_t stream,
                           int count, One one) {
  std::vector<Tried> tried(static_cast<std::size_t>(count));
  oneapi::tbb::parallel_for(0, count, [&](int index) {
    tried[static_cast<std::size_t>(index)] = one(trials, rates::draw_of(seed, stream, index), index);
  });
  return tried;
}

/// The row that refuses most of these, and how many it refuses; of several the first.
std::pair<std::size_t, int> best_row(const std::vector<const Tried*>& left, std::size_t rows) {
  std::vector<int> refused(rows);
  for (const auto* mutant : left) {
    for (std::size_t row = 0; row < rows; ++row) {
      refused[row] += mutant->refusal.by_row[row] ? 1 : 0;
    }
  }
  const auto best = std::ranges::max_element(refused);
  return {static_cast<std::size_t>(best - refused.begin()), *best};
}

/// How many there are of something, and how many of them are refused, by rows and at all.
struct Count {
  int tried = 0;
  int by_rows = 0;
  int refused = 0;

  void add(const Tried& one) {
    ++tried;
    by_rows += one.refusal.by_rows() ? 1 : 0;
    refused += one.refused() ? 1 : 0;
  }
};

Count count_of(const std::vector<Tried>& tried) {
  Count count;
  for (const auto& one : tried) {
    count.add(one);
  }
  return count;
}

/// The rows of one group. \param left its mutants
std::vector<std::int64_t> chosen_positions(const VectorTrial& trial, std::vector<const Tried*> left) {
  const auto rows = trial.positions().size();
  std::set<std::int64_t> chosen;
  std::set<std::string_view> shown;
  const auto flags = [&](std::size_t row) {
    return flags_of({trial.encoding(), trial.context(), trial.positions()[row], trial.tensors(), row});
  };
  const auto choose = [&](std::size_t row) {
    chosen.insert(trial.positions()[row]);
    for (const auto flag : flags(row)) {
      shown.insert(flag);
    }
  };
  for (auto [row, refused] = best_row(left, rows); refused >= least_refused;
       std::tie(row, refused) = best_row(left, rows)) {
    choose(row);
    std::erase_if(left, [at = row](const Tried* mutant) { return mutant->refusal.by_row[at]; });
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::ranges::any_of(flags(row), [&](std::string_view flag) { return !shown.contains(flag); })) {
      choose(row);
    }
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<VectorTrial> made_trials(const VectorSelection& selection,
                                     std::vector<std::int64_t> (*positions_of)(const VectorGroup&)) {
  std::vector<std::optional<VectorTrial>> made(selection.groups.size());
  oneapi::tbb::parallel_for(std::size_t{0}, made.size(), [&](std::size_t index) {
    made[index].emplace(selection.groups[index], positions_of(selection.groups[index]));
  });
  std::vector<VectorTrial> trials;
  for (auto& one : made) {
    trials.push_back(*std::move(one));
  }
  return trials;
}

}  // namespace

std::vector<VectorTrial> trials_of(const VectorSelection& selection) {
  return made_trials(selection, [](const VectorGroup& group) { return group.rows(*group.encoding()); });
}

std::vector<Tried> try_mutants(const std::vector<VectorTrial>& trials, const TrialOptions& options) {
  return try_all(trials, options.seed, mutants_stream, options.mutants, try_mutant);
}

std::vector<Tried> try_honest_ones(const std::vector<VectorTrial>& trials, const TrialOptions& options) {
  return try_all(trials, options.seed, honest_stream, options.honest, try_honest_one);
}

void choose_rows(VectorSelection& selection, const TrialOptions& options) {
  const auto trials = made_trials(selection, candidate_positions);
  const auto tried = try_mutants(trials, options);
  for (std::size_t group = 0; group < trials.size(); ++group) {
    std::vector<const Tried*> own;
    for (const auto& mutant : tried) {
      if (mutant.group == group) {
        own.push_back(&mutant);
      }
    }
    auto& positions = selection.groups[group].positions;
    if (!positions.empty()) {
      positions = chosen_positions(trials[group], std::move(own));
    }
  }
}

OrderedJson measured_json(const std::vector<Tried>& mutants, const std::vector<Tried>& honest,
                          std::uint64_t seed) {
  const auto of_mutants = count_of(mutants);
  return {{"seed", seed},
          {"mutants", of_mutants.tried},
          {"killed_by_rows", of_mutants.by_rows},
          {"killed", of_mutants.refused},
          {"honest", honest.size()},
          {"honest_refused", count_of(honest).refused}};
}

std::string to_text(const VectorSelection& selection, const std::vector<Tried>& mutants,
                    const std::vector<Tried>& honest) {
  const auto name_of = [&](const Tried& one) {
    return one.group ? selection.groups[*one.group].id : std::string("none");
  };
  std::map<std::string, Count> by_group;
  std::map<std::string, Count> by_kind;
  for (const auto& mutant : mutants) {
    by_group[name_of(mutant)].add(mutant);
    by_kind[mutant.kind].add(mutant);
  }
  std::ostringstream text;
  for (const auto* counts : {&by_group, &by_kind}) {
    text << fmt::format("{:<32}{:>8}{:>9}{:>8}\n", counts == &by_group ? "encoding" : "fault", "mutants",
                        "by rows", "killed");
    for (const auto& [name, count] : *counts) {
      text << fmt::format("{:<32}{:>8}{:>9}{:>8}\n", name, count.tried, count.by_rows, count.refused);
    }
    text << "\n";
  }
  for (const auto& mutant : mutants) {
    if (!mutant.refused()) {
      text << "not killed: " << name_of(mutant) << ": " << mutant.kind << ": " << mutant.words << "\n";
    }
  }
  for (const auto& one : honest) {
    if (one.refused()) {
      text << "honest, and refused: " << name_of(one) << ": " << one.words << "\n";
    }
  }
  return text.str();
}

}  // namespace vernier
