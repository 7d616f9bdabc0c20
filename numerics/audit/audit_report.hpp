#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "numerics/audit/failing_extent.hpp"
#include "numerics/budgets/budget.hpp"
#include "numerics/errors/error_map.hpp"
#include "numerics/errors/error_statistics.hpp"
#include "reference/numbers/enclosure.hpp"

namespace vernier {

/// One element of a table, judged.
struct ElementReport {
  Place place;
  double got = 0;
  Enclosure truth;
  Budget budget;
  double error = 0;  ///< got - truth
  /// |error| / budget: more than 1 breaks the contract. Infinite for a non-finite element.
  double budget_ratio = 0;
};

/// Elements of one pair in one band of positions: what is said of errors is of finite ones. Maxima are good
/// to seven digits; a budget ratio up to 1 is never below the true one by more than 2^-16 of it and 2^-20,
/// and above it by 2^-13 of it and 2^-14 at most; one above 1 is right to 2^-40.
struct CellReport {
  std::uint64_t finite = 0;
  double greatest_error = 0;
  double greatest_ulps = 0;
  double greatest_phase_roundings = 0;
  double greatest_budget_ratio = 0;  ///< of conclusive elements; infinite with one that is not finite
  std::uint64_t judged = 0;          ///< conclusive elements, those that are not finite among them
  std::uint64_t failing = 0;         ///< of those judged

  CellReport& operator+=(const CellReport& other);
};

/// Elements whose positions share a band: about a quarter octave of |position|. Maxima are good to seven
/// digits.
struct BandReport {
  std::int64_t first_position = std::numeric_limits<std::int64_t>::max();  ///< the smallest |position| seen
  std::int64_t last_position = 0;                                          ///< the largest
  double greatest_budget = 0;                                              ///< no element's budget is larger
  std::vector<CellReport> pairs;                                           ///< one a pair

  /// All pairs together.
  CellReport whole() const;
};

/// Rows of a block whose greatest error is greater than all before.
struct ErrorRecord {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  double greatest_error = 0;  ///< good to seven digits; infinite with a number that is not finite
};

/// What an audit found. Reports of parts of the rows give the same merged in whatever order.
struct AuditReport {
  ErrorStatistics statistics;
  std::uint64_t judged = 0;            ///< conclusive elements
  std::uint64_t failing = 0;           ///< conclusive elements beyond their budget, and non-finite ones
  std::uint64_t inconclusive = 0;      ///< elements whose budget proves nothing
  std::optional<ElementReport> worst;  ///< the conclusive element that uses most of its budget
  std::optional<ElementReport> first_failing;   ///< in the order of the rows
  std::optional<FailingExtent> failing_extent;  ///< where the failing ones are
  std::map<int, BandReport> bands;
  /// Where the error grows, in the order of the rows: their errors ascend. Of evenly spaced rows only.
  std::vector<ErrorRecord> records;

  /// \param other of other rows
  void merge(const AuditReport& other);
};

/// The bands' index for a position: increasing with |position|. 0 for position 0, and 4 k + 1 to 4 k + 4 for
/// 2^k <= |position| < 2^(k + 1).
int band_of(std::int64_t position);

/// The bands' cells by octave.
ErrorMap error_map(const AuditReport& report);

}  // namespace vernier
