#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "reports/sweeps/shard.hpp"

namespace vernier {

/// Tasks [first, last) of a sweep.
struct TaskSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t count() const { return last - first; }
  bool operator==(const TaskSpan&) const = default;
};

/// The tasks of a shard: consecutive ones, of each shard as many, but for one. None where there are more
/// shards than tasks. \param tasks of the sweep
TaskSpan tasks_of(const Shard& shard, std::int64_t tasks);

/// How far a shard is.
struct ShardState {
  std::vector<TaskSpan> done;  ///< ascending, none next to another
  AuditReport report;          ///< of these tasks, without its bands

  /// \pre none of the tasks is done
  void add(const TaskSpan& tasks, const AuditReport& found);
  std::int64_t tasks_done() const;
  /// What of `all` is not done, ascending.
  std::vector<TaskSpan> left(const TaskSpan& all) const;
};

/// The file of a state, in the form of shard.schema.json. \param sweep the digest of what is swept
std::string shard_text(const Shard& shard, const ShardState& state, std::string_view sweep);

/// Reads one. \param text of the file \param source its name \param tasks of the sweep \throws InputError if
/// it is damaged, or not of this shard and sweep
ShardState read_shard_text(std::string_view text, const std::string& source, const Shard& shard,
                           std::string_view sweep, std::int64_t tasks);

}  // namespace vernier
