#pragma once

#include <cstdint>
#include <span>

#include "numerics/audit/audit_report.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "reference/ladder/certified_table.hpp"

namespace vernier {

/// Judges every element of a plain table as rows of `table`, which need not be the declared one, under the
/// same contract. \param positions one a row
/// \param threads how many may work; the result does not depend on it
AuditReport audit_tensor(const TableTensor& tensor, const TrigTable& table,
                         std::span<const std::int64_t> positions, unsigned threads = 1);

}  // namespace vernier
