#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/audit/audit_report.hpp"

namespace vernier {

/// One of the parts that a sweep is cut into.
struct Shard {
  int index = 1;  ///< from 1 to `count`
  int count = 1;
};

inline constexpr int most_shards = 1 << 20;

/// Reads "I/N". \throws InputError for anything else than 1 <= I <= N <= most_shards
Shard parse_shard(std::string_view text);

/// A shard and what told it: "SLURM_ARRAY_TASK_ID 2 of SLURM_ARRAY_TASK_COUNT 64".
struct FoundShard {
  Shard shard;
  std::string source;
};

/// The value of a variable of the environment, if it is there.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The shard that falls to this process by what started it:
/// - mpirun: OMPI_COMM_WORLD_RANK, _SIZE (Open MPI), PMI_RANK, PMI_SIZE (MPICH),
/// - srun: SLURM_PROCID, SLURM_STEP_NUM_TASKS (SLURM_NTASKS is there in a script without srun too),
/// - Kubernetes: JOB_COMPLETION_INDEX, with JOB_COMPLETIONS, which the job has to set itself,
/// - a Slurm array: SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX.
/// The first three exclude each other and the first found is taken: under mpirun in a Slurm job the variables
/// of srun are those of the script. In an array each of its tasks may start several processes, and the shards
/// are all of them. \throws InputError if there is none of them, or one makes no sense
FoundShard shard_of(const Environment& environment);

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
