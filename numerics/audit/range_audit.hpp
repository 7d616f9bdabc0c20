#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/audit/chunk_audit.hpp"
#include "numerics/audit/rows_under_test.hpp"
#include "numerics/budgets/budget.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Rows to audit, and the contract they are held to.
struct RangeInput {
  const RowsUnderTest* rows;
  BudgetModel model;
};

struct AuditOptions {
  unsigned threads = 1;
  /// That a thread may hold of each component: enough for some ten thousand pairs, far more than models have.
  /// Of wider tables histograms are added to the report group by group, which is slower. What is found does
  /// not depend on it, but for the upper bounds that percentiles of phase roundings are.
  std::size_t histogram_bytes = std::size_t{64} << 20;
  /// Which of audit_kernel_sets(); none: the last, the widest.
  std::optional<std::size_t> kernel_set = std::nullopt;
  std::int64_t first_row = 0;  ///< what reports call the first row
  /// Told from time to time, from any thread, how many rows have been audited since the last time. What it
  /// throws ends the audit.
  std::function<void(std::int64_t rows)> heartbeat = nullptr;
};

/// The audit of rows of several implementations of one table, at evenly spaced positions, on the ladder of
/// certified tables: most elements by the kernels (kernel.hpp), and those they mark one by one from
/// double-double or multiprecision (Auditor). All elements are judged. The reports do not depend on the
/// number of threads or on the instruction set.
///
/// The rows are cut into tasks, which may be done in any order and by any process: the cut depends on the
/// table and on the positions alone, and a report is what merging those of all tasks gives, to the bit.
///
/// Exact, as Auditor has them: all counts, the greatest of each measure with its place, the worst and the
/// first failing element. Sums are good to 2^-18 of the sum of magnitudes, and histograms to their bins. A
/// few MiB a thread are held whatever the number of rows.
class RangeAudit {
 public:
  /// \param subjects what they point to outlives the audit
  RangeAudit(const TrigTable& table, const PositionRange& positions, std::span<const RangeInput> subjects,
             const AuditOptions& options = {});
  RangeAudit(const RangeAudit&) = delete;
  RangeAudit& operator=(const RangeAudit&) = delete;

  std::int64_t tasks() const { return (truth_.positions().count + rows_per_task_ - 1) / rows_per_task_; }
  /// Rows of each task; the last one may have fewer.
  std::int64_t rows_per_task() const { return rows_per_task_; }
  /// What tasks [first, last) find, a report for each implementation. Where it throws, the audit is over.
  /// \pre 0 <= first <= last <= tasks()
  std::vector<AuditReport> run(std::int64_t first, std::int64_t last) const;

 private:
  std::vector<AuditReport> run(std::int64_t task) const;

  LadderTruth truth_;
  const AuditKernels& kernels_;
  AuditOptions options_;
  std::vector<RangeInput> inputs_;
  std::int64_t rows_per_chunk_;
  std::int64_t rows_per_task_;
  std::list<AuditSubject> subjects_;
};

/// All tasks of it.
std::vector<AuditReport> audit_range(const TrigTable& table, const PositionRange& positions,
                                     std::span<const RangeInput> subjects, const AuditOptions& options = {});

/// An implementation and the contract it is held to.
struct Subject {
  const TableUnderTest* implementation;
  BudgetModel model;
};

/// Audits several implementations of one table, the truth's seeds computed once for all.
std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects,
                               const PositionRange& positions, const AuditOptions& options = {});

}  // namespace vernier
