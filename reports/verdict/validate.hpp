#pragma once

#include <string>

#include "numerics/tensors/case.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// What a verdict has beside what it takes to conclude.
struct VerdictDetails {
  bool error_splits = true;  ///< Check::split
  bool reasons = true;       ///< Verdict::diagnosis and Verdict::kept_contracts
  bool arithmetic = false;   ///< Verdict::arithmetic
};

/// Judges a case by every kind of check that concerns it, and names the likely fault if the tensors agree
/// with another reading of the spec. \param reproduce the command that does this again
Verdict validate(const Case& subject, std::string reproduce, const VerdictDetails& details = {});

/// \name The same in parts: what is wrong is known long before why
/// @{
/// What was to be judged, as yet without checks.
Verdict unjudged(std::string name, std::string producer, const Encoding& encoding, std::string reproduce);
/// Everything but the reasons. \param audited audited_case()
Verdict judge_audited(const AuditedCase& audited, std::string reproduce);
/// Adds the diagnosis and the contracts that are kept. \param verdict of judge_audited(), on the same
void add_reasons(Verdict& verdict, const AuditedCase& audited);
/// Adds the arithmetic that predicts every bit, if the verdict conforms.
void add_arithmetic(Verdict& verdict, const Case& subject);
/// @}

}  // namespace vernier
