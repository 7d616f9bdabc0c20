#pragma once

#include <string>
#include <vector>

#include "numerics/studies/accuracy_study.hpp"
#include "numerics/studies/field_study.hpp"
#include "props/laws/law.hpp"
#include "props/laws/run_law.hpp"
#include "props/literature/claims.hpp"
#include "props/matrix/matrix.hpp"
#include "reference/tables/phases.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/outputs/comparisons/verdict_document.hpp"
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

/// A tensor that public software computed, and what Vernier said of it: a case of the corpus as
/// corpus/record.json has it.
struct RecordedCase {
  std::string name;
  std::string source;  ///< "pie-project/pie issue 602", "candle@commit, FILE"
  std::string kind;
  std::string fault;      ///< in one sentence; empty for an honest one
  std::string said;       ///< empty where nothing was found
  std::string note = {};  ///< why the software differs on purpose; empty where it does not
  bool is_accepted = false;
  bool is_named = false;  ///< whether the pattern of the case matches what was said

  bool is_fault() const { return !fault.empty(); }
};

/// The whole record.
std::vector<RecordedCase> recorded_cases();

/// What the pages of the accuracy report are written from: computed once, shared by all.
struct ReportData {
  std::vector<TableStudy> tables;
  std::vector<FieldEncoding> field;
  std::vector<FieldGrid> grids;                    ///< of models of images and video
  std::vector<ComparedImplementation> comparison;  ///< empty if no list of implementations was given
  RunHistory history;  ///< of all earlier runs, then of this one; empty if none is kept
  std::vector<LawStudy> laws;
  std::vector<RecordedCase> record;
  std::vector<ComputedRow> matrix;
  std::vector<ClaimDocument> claims;
  EvidenceResults evidence;  ///< of all that the claims name
  std::vector<EnvironmentFact> environment;
};

}  // namespace vernier
