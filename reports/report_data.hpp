#pragma once

#include <string>
#include <vector>

#include "props/claims/claims.hpp"
#include "props/matrix/matrix.hpp"
#include "reports/accuracy_study.hpp"
#include "reports/environment.hpp"
#include "reports/field_study.hpp"
#include "reports/interop/league.hpp"
#include "reports/law_study.hpp"
#include "reports/rates/rates.hpp"

namespace vernier {

/// What the pages of the accuracy report are written from: computed once, shared by all.
struct ReportData {
  std::vector<TableStudy> tables;
  std::vector<FieldEncoding> field;
  std::vector<LeagueEntry> league;  ///< empty if no list of implementations was given
  std::vector<LawStudy> laws;
  rates::Rates rates;
  std::vector<ComputedRow> matrix;
  std::vector<ClaimDocument> claims;
  EvidenceResults evidence;  ///< of all that the claims name
  std::vector<EnvironmentFact> environment;
};

}  // namespace vernier
