#pragma once

#include <string>

#include "numerics/cases/case.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// What a verdict has beside what it takes to conclude.
struct VerdictDetails {
  bool error_splits = true;  ///< Check::split
  bool reasons = true;       ///< Verdict::diagnosis and Verdict::kept_contracts
};

/// Judges a case by every kind of check that concerns it, and names the likely fault if the tensors agree
/// with another reading of the spec. \param reproduce the command that does this again
Verdict validate(const Case& subject, std::string reproduce, const VerdictDetails& details = {});

}  // namespace vernier
