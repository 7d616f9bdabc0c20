#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "numerics/views/case_views.hpp"
#include "numerics/views/view_audit.hpp"
#include "reports/verdict/verdict.hpp"

namespace vernier {

/// A tensor of a case, and what was found of its elements.
struct AuditedTensor {
  const CaseView* view;
  std::size_t index;  ///< of the parts of the view
  TensorFindings findings;

  const TensorPart& part() const { return view->view.parts()[index]; }
};

/// A case with its tensors audited, from which the checks are drawn.
struct AuditedCase {
  const Case& subject;
  std::shared_ptr<const std::vector<CaseView>> views;  ///< never null
  std::vector<AuditedTensor> tensors;                  ///< in the order of tensor_roles()
  std::vector<std::optional<NormFindings>> norms;      ///< one a view
  bool splits_errors = true;                           ///< whether Check::split is wanted, which takes long

  /// Those of the parts of a view that are plain tables; null of others.
  std::vector<const AuditReport*> audits(const CaseView& viewed) const;
};

/// Audits every tensor of a case, which outlives the result. \param splits_errors see AuditedCase
AuditedCase audited_case(const Case& subject, bool splits_errors);

/// Appends the checks of a kind that concern the case, skipped ones too. \param id of the kind
using CheckJudge = void(const AuditedCase& audited, std::string_view id, std::vector<Check>& out);

/// A kind of check. What it means, and what it rests on, stands in checks.json under its id.
struct CheckKind {
  std::string_view id;  ///< "accuracy/<role>": what stands in angle brackets varies
  CheckJudge* judge;
  bool needs_budget = true;  ///< so that it says nothing where a contract pins the bits
};

/// The contract that pins the arithmetic of a case; empty where it has another.
std::string_view pinned_contract(const Case& subject);

CheckJudge judge_arithmetic, judge_elements, judge_rotated_phases, judge_frequency, judge_trigonometry,
    judge_finite, judge_pass_through, judge_rotated_norm, judge_block_scales, judge_distinct_rows,
    judge_padding_row;

/// Every kind of check of tensors, in the order of reports. A new one is a file here, which defines its
/// function, a line above and below, and its texts in checks.json.
// clang-format off
inline constexpr std::array check_kinds{
    CheckKind{"arithmetic/<tensors>", judge_arithmetic, false},
    CheckKind{"values/<role>", judge_elements},
    CheckKind{"scaled/<role>", judge_elements},
    CheckKind{"axes/<role>", judge_elements},
    CheckKind{"accuracy/slopes", judge_elements},
    CheckKind{"accuracy/inv_freq", judge_elements, false},
    CheckKind{"accuracy/bias", judge_elements},
    CheckKind{"accuracy/buckets", judge_elements},
    CheckKind{"accuracy/rotated", judge_elements},
    CheckKind{"accuracy/rotated_k", judge_elements},
    CheckKind{"accuracy/input_gradient", judge_elements},
    CheckKind{"trigonometry/rotated", judge_rotated_phases},
    CheckKind{"accuracy/<role>", judge_elements},
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
