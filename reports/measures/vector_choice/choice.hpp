#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/exchange/vectors/selection.hpp"
#include "reports/measures/vector_choice/trial.hpp"

namespace vernier {

/// What implementations vectors are tried on.
struct TrialOptions {
  std::uint64_t seed = 1;
  int mutants = 1000;
  int honest = 200;
};

/// An implementation, and what refused it.
struct Tried {
  std::optional<std::size_t> group = {};  ///< whose encoding it computes; none: no group can have its fault
  std::string kind = {};                  ///< the id of its fault; empty of an honest one
  std::string words = {};                 ///< its fault and how it computes
  Refusal refusal = {};

  bool refused() const { return refusal.by_sums || refusal.by_rows(); }
};

/// The n-th has a fault of the kind whose turn it is, as those of the kill matrix have
/// (reports/measures/kill_matrix), in an encoding of the groups that can have it. The result does not depend
/// on threads.
std::vector<Tried> try_mutants(const std::vector<VectorTrial>& trials, const TrialOptions& options);
std::vector<Tried> try_honest_ones(const std::vector<VectorTrial>& trials, const TrialOptions& options);

/// The vectors of every group at work.
std::vector<VectorTrial> trials_of(const VectorSelection& selection);

/// Chooses the rows of every group by greedy set cover: those after each other that refuse most of the
/// group's mutants that none before refuses, so long as one refuses two or more; then, for each flag that a
/// candidate has, one that has it, if none chosen does. What refuses one mutant alone would be chosen for its
/// place, which the next mutant does not have. \param options of the mutants
void choose_rows(VectorSelection& selection, const TrialOptions& options);

/// How many of the mutants are refused, by rows and at all, and of the honest ones, for
/// VectorSelection::measured.
OrderedJson measured_json(const std::vector<Tried>& mutants, const std::vector<Tried>& honest,
                          std::uint64_t seed);

/// The same by group and by kind of fault, every mutant that is not refused and every honest one that is.
std::string to_text(const VectorSelection& selection, const std::vector<Tried>& mutants,
                    const std::vector<Tried>& honest);

}  // namespace vernier
