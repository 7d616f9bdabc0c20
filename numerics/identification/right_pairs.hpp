#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/identification/trigonometry_audit.hpp"

namespace vernier {

/// The pairs of a tensor of which its audit says already that every element is the sine or cosine of its own
/// phase, and that none is the worst such element of the tensor.
///
/// For a pair, let g be the greatest error that its audit has found, e the most that a phase is off from the
/// true one, p w, A the amplitude, and L and H the least and the greatest of limits. A sine moves by no more
/// than its phase, so that every element of the pair uses at most r = (g + A e) / L of its limit, and some
/// element at least s = (g - A e) / H. A pair with r <= 1 whose r is below the s of another one holds neither
/// a failing element nor the worst.
///
/// What e is, is known of phases that are products of the position and a frequency, and 0 where that is 1. Of
/// tensors with an element that is no number, with a row of zeros or with positions that were rounded, no
/// pair is told. \param audit of all rows of the tensor \\param knowledge, attribution as
/// audit_trigonometry() takes them
std::vector<bool> right_pairs(const TableTensor& tensor, std::span<const std::int64_t> positions,
                              const AuditReport& audit, std::span<const PhaseKnowledge> knowledge,
                              const Attribution* attribution);

}  // namespace vernier
