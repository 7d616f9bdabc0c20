#pragma once

#include <string>
#include <vector>

#include "numerics/searches/accuracy_study.hpp"
#include "numerics/searches/field_study.hpp"
#include "props/laws/law.hpp"
#include "props/laws/run_law.hpp"
#include "props/literature/claims.hpp"
#include "props/matrix/matrix.hpp"
#include "reference/tables/phases.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/measures/kill_matrix/kill_matrix.hpp"
#include "reports/measures/rates/rates.hpp"
#include "reports/outputs/comparisons/run_history.hpp"
#include "reports/words/version.hpp"

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

/// What the pages of the accuracy report are written from: computed once, shared by all.
struct ReportData {
  std::vector<TableStudy> tables;
  std::vector<FieldEncoding> field;
  std::vector<FieldGrid> grids;                    ///< of models of images and video
  std::vector<ComparedImplementation> comparison;  ///< empty if no list of implementations was given
  RunHistory history;  ///< of all earlier runs, then of this one; empty if none is kept
  std::vector<LawStudy> laws;
  rates::Rates rates;
  kill_matrix::KillMatrix kills;
  std::vector<ComputedRow> matrix;
  std::vector<ClaimDocument> claims;
  EvidenceResults evidence;  ///< of all that the claims name
  std::vector<EnvironmentFact> environment;
};

}  // namespace vernier
