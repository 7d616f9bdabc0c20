#pragma once

#include <vector>

#include "props/law.hpp"
#include "props/run_law.hpp"
#include "reference/phases.hpp"

namespace vernier {

/// What became of one law: on the reference and all recipes, where it must hold, and on the broken
/// implementations that it is there to catch, where it must fail.
struct LawStudy {
  const Law* law;
  std::vector<LawResult> honest;
  std::vector<LawResult> broken;

  /// Whether no honest subject breaks the law and no broken one keeps it.
  bool as_it_should_be() const;
};

/// Runs every law on everything it applies to.
/// \param progress told one phase
std::vector<LawStudy> study_laws(const CheckOptions& options, const PhaseListener& progress);

}  // namespace vernier
