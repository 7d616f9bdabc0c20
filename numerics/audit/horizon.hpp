#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// How far a table is good to a threshold.
struct Horizon {
  double threshold = 0;
  /// The first row that holds an error of the threshold or more, or a number that is not finite; none if all
  /// rows are below.
  std::optional<std::int64_t> first_row_beyond;
};

/// The horizons of an implementation whose audit over `positions` gave `report`. Errors are compared with
/// thresholds to one part in a million: one that comes so close counts as beyond.
/// \param report of evenly spaced rows, the first of them row 0 \param thresholds of absolute errors, > 0
std::vector<Horizon> horizons(const TrigTable& table, const TableUnderTest& implementation,
                              const PositionRange& positions, const AuditReport& report,
                              std::span<const double> thresholds);

}  // namespace vernier
