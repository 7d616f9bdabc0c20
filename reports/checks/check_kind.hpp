#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "numerics/cases/case.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// A case with its tensors audited, from which the checks are drawn.
struct AuditedCase {
  const Case& subject;
  std::vector<AuditReport> audits;          ///< one a table of the case
  std::vector<RotatedReport> rotated = {};  ///< one for each of its tensors of rotated vectors
  bool splits_errors = true;                ///< whether Check::split is wanted, which takes long
};

/// A kind of check: what it means, and how it is judged.
struct CheckKind {
  std::string_view id;       ///< "accuracy/<role>": what stands in angle brackets varies
  std::string_view meaning;  ///< what a failure means to the reader, in a few sentences
  std::string_view source;   ///< what it rests on
  /// Appends the checks of this kind that concern the case, skipped ones too.
  void (*judge)(const AuditedCase& audited, std::vector<Check>& out);
};

/// All kinds of check, in the order of reports: checks.hpp lists them.
std::span<const CheckKind> check_kinds();

}  // namespace vernier
