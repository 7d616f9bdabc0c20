#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace vernier
