#pragma once

#include <span>
#include <vector>

#include "numerics/audit/range_audit.hpp"
#include "numerics/recipes/under_test.hpp"

namespace vernier {

/// An implementation and the contract it is held to.
struct Subject {
  const TableUnderTest* implementation;
  BudgetModel model;
};

/// Audits several implementations of one table, the truth's seeds computed once for all.
std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects,
                               const PositionRange& positions, const AuditOptions& options = {});

}  // namespace vernier
