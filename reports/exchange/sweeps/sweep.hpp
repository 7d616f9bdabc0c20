#pragma once

#include <cstdint>
#include <memory>
#include <ostream>

#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// What a sweep is of.
struct SweepPlan {
  std::unique_ptr<Encoding> encoding;  ///< with tables of sines and cosines
  const Recipe* recipe;
  Format stored;
  const Contract* contract;
  PositionRange positions;
};

/// The audit of a recipe at every position of a range, cut into tasks that may be done in any order, by any
/// process (RangeAudit).
class Sweep {
 public:
  /// \param options the first row is 0
  explicit Sweep(SweepPlan plan, const AuditOptions& options = {});
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  const SweepPlan& plan() const { return plan_; }
  const TrigTable& table() const { return table_; }
  const RecipeTable& implementation() const { return implementation_; }
  std::int64_t tasks() const { return audit_.tasks(); }
  std::int64_t rows_per_task() const { return audit_.rows_per_task(); }
  /// What tasks [first, last) find. Where it throws, the sweep is over.
  AuditReport run(std::int64_t first, std::int64_t last) const { return audit_.run(first, last).front(); }

 private:
  SweepPlan plan_;
  TrigTable table_;
  RecipeTable implementation_;
  MadeRows rows_;
  RangeInput subject_;
  RangeAudit audit_;
};

/// The result in words. \param report of all tasks
void print_sweep(const Sweep& sweep, const AuditReport& report, std::ostream& out);

/// What can be said where only some of the tasks are done.
void print_partial_sweep(const Sweep& sweep, const AuditReport& report, std::int64_t tasks_done,
                         std::ostream& out);

}  // namespace vernier
