#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// Pairs of which an audit has said already that every row may have been computed from the true phase.
struct SettledPairs {
  std::vector<bool> pairs;    ///< one entry a pair; empty where there are no audits
  std::uint64_t couples = 0;  ///< couples of a cosine and a sine of those pairs, in all rows

  bool of_all() const;
};

/// The pairs whose greatest error, over all rows, is within half of what the sine or cosine of the true phase
/// may be off by. Then an error 0 of the frequency explains every row of the pair (FrequencyWindow), and no
/// row need be looked at:
///
/// Let (c, s) be off from the true (C, S) by e and f. The row deviates by x with |sin x - (C s - S c)| <= n,
/// n = |C| a + |S| b, a and b what f and e may be at most, whatever the phase is (phase_deviation.hpp). As
/// C s - S c = C f - S e, and |f| <= a / 2, |e| <= b / 2, x may be 0: so 0 is in the row's interval. The row
/// says something if its phase may be off by less than a quarter turn, which grows with the position, and if
/// a + b is small beside 1.
///
/// Errors are compared in ulp of the truth, with half of the limit, so that it does not matter on which side
/// of a power of two a number is. Of tables in the format that they are computed in, of amplitude 1, with
/// positions that the format holds; of others none.
/// \param audits one a part of the view, of all rows; null of what is no plain table
SettledPairs settled_pairs(const RowView& view, std::span<const std::int64_t> positions,
                           std::span<const AuditReport* const> audits);

}  // namespace vernier
