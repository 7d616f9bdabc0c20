#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "numerics/tensors/case.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A case with its tensors audited, from which the checks are drawn.
struct AuditedCase {
  const Case& subject;
  std::vector<AuditReport> audits;          ///< one a table of the case
  std::vector<RotatedReport> rotated = {};  ///< one for each of its tensors of rotated vectors
  bool splits_errors = true;                ///< whether Check::split is wanted, which takes long
};

/// A kind of check. What it means, and what it rests on, stands in checks.json under its id.
struct CheckKind {
  std::string_view id;  ///< "accuracy/<role>": what stands in angle brackets varies
  /// Appends the checks of this kind that concern the case, skipped ones too.
  void (*judge)(const AuditedCase& audited, std::vector<Check>& out);
  bool needs_budget = true;  ///< so that it says nothing where a contract pins the bits
};

/// The contract that pins the arithmetic of a case; empty where it has another.
std::string_view pinned_contract(const Case& subject);

void judge_arithmetic(const AuditedCase& audited, std::vector<Check>& out);

void judge_values(const AuditedCase& audited, std::vector<Check>& out);
void judge_scaled(const AuditedCase& audited, std::vector<Check>& out);
void judge_axes(const AuditedCase& audited, std::vector<Check>& out);
void judge_slopes(const AuditedCase& audited, std::vector<Check>& out);
void judge_frequencies(const AuditedCase& audited, std::vector<Check>& out);
void judge_bias(const AuditedCase& audited, std::vector<Check>& out);
void judge_buckets(const AuditedCase& audited, std::vector<Check>& out);
void judge_rotated_queries(const AuditedCase& audited, std::vector<Check>& out);
void judge_rotated_keys(const AuditedCase& audited, std::vector<Check>& out);
void judge_gradients(const AuditedCase& audited, std::vector<Check>& out);
void judge_rotated_phases(const AuditedCase& audited, std::vector<Check>& out);
void judge_accuracy(const AuditedCase& audited, std::vector<Check>& out);
void judge_frequency(const AuditedCase& audited, std::vector<Check>& out);
void judge_trigonometry(const AuditedCase& audited, std::vector<Check>& out);
void judge_finite(const AuditedCase& audited, std::vector<Check>& out);
void judge_pass_through(const AuditedCase& audited, std::vector<Check>& out);
void judge_rotated_norm(const AuditedCase& audited, std::vector<Check>& out);
void judge_block_scales(const AuditedCase& audited, std::vector<Check>& out);
void judge_distinct_rows(const AuditedCase& audited, std::vector<Check>& out);
void judge_padding_row(const AuditedCase& audited, std::vector<Check>& out);

/// Every kind of check of tensors, in the order of reports. A new one is a file here, which defines its
/// function, a line above and below, and its texts in checks.json.
// clang-format off
inline constexpr std::array check_kinds{
    CheckKind{"arithmetic/<tensors>", judge_arithmetic, false},
    CheckKind{"values/<role>", judge_values},
    CheckKind{"scaled/<role>", judge_scaled},
    CheckKind{"axes/<role>", judge_axes},
    CheckKind{"accuracy/slopes", judge_slopes},
    CheckKind{"accuracy/inv_freq", judge_frequencies, false},
    CheckKind{"accuracy/bias", judge_bias},
    CheckKind{"accuracy/buckets", judge_buckets},
    CheckKind{"accuracy/rotated", judge_rotated_queries},
    CheckKind{"accuracy/rotated_k", judge_rotated_keys},
    CheckKind{"accuracy/input_gradient", judge_gradients},
    CheckKind{"trigonometry/rotated", judge_rotated_phases},
    CheckKind{"accuracy/<role>", judge_accuracy},
    CheckKind{"frequency/<tensors>", judge_frequency},
    CheckKind{"trigonometry/<role>", judge_trigonometry},
    CheckKind{"finite/<role>", judge_finite, false},
    CheckKind{"pass-through/<role>", judge_pass_through, false},
    CheckKind{"norm/<role>", judge_rotated_norm},
    CheckKind{"scales/<role>", judge_block_scales},
    CheckKind{"property/<scheme>/unique", judge_distinct_rows},
    CheckKind{"property/<scheme>/padding-row", judge_padding_row, false}};
// clang-format on

}  // namespace vernier
