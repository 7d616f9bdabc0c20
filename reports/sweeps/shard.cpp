#include "reports/sweeps/shard.hpp"

#include <array>
#include <charconv>
#include <system_error>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return all && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Variables with the number of a process, from 0, and how many there are.
struct Launcher {
  std::string index;
  std::string count;
};

const std::array launchers{
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    Launcher{"PMI_RANK", "PMI_SIZE"},
    Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    Launcher{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"},
};

/// Of several processes, counted from 0.
struct Part {
  int index;
  int count;
  std::string source;
};

int number_in(const Environment& environment, const std::string& name) {
  const auto text = environment(name);
  const auto number = text ? whole_number(*text) : std::nullopt;
  if (!number) {
    throw InputError("--shard auto: {}: found {}, expected a number from 0", name,
                     text ? "\"" + one_line(*text) + "\"" : "nothing");
  }
  return *number;
}

Part checked(Part part) {
  if (part.index >= part.count) {
    throw InputError("--shard auto: found {}, expected a number below the count", part.source);
  }
  return part;
}

std::optional<Part> launched(const Environment& environment) {
  for (const auto& [index, count] : launchers) {
    if (environment(index) && environment(count)) {
      const int i = number_in(environment, index);
      const int n = number_in(environment, count);
      return checked({i, n, fmt::format("{} {} of {} {}", index, i, count, n)});
    }
  }
  return std::nullopt;
}

/// Of an array of evenly spaced numbers. Others, as those of a job that repeats what failed, do not tell how
/// many there were.
std::optional<Part> of_array(const Environment& environment) {
  if (!environment("SLURM_ARRAY_TASK_ID")) {
    return std::nullopt;
  }
  const int id = number_in(environment, "SLURM_ARRAY_TASK_ID");
  const int count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
  const int least = number_in(environment, "SLURM_ARRAY_TASK_MIN");
  const int greatest = number_in(environment, "SLURM_ARRAY_TASK_MAX");
  const int step = count > 1 ? (greatest - least) / (count - 1) : 1;
  if (count < 1 || step < 1 || least + step * (count - 1) != greatest || id < least ||
      (id - least) % step != 0) {
    throw InputError(
        "--shard auto: found task {} of an array of {} from {} to {}, expected evenly spaced numbers as of "
        "--array=0-63; "
        "--shard I/N repeats single shards",
        id, count, least, greatest);
  }
  return checked({(id - least) / step, count,
                  fmt::format("SLURM_ARRAY_TASK_ID {} of SLURM_ARRAY_TASK_COUNT {}", id, count)});
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  const auto index = whole_number(text.substr(0, slash));
  const auto count = slash == text.npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count || *count > most_shards) {
    throw InputError("--shard: found \"{}\", expected I/N with I from 1 to N and N up to {}, or auto",
                     one_line(text), most_shards);
  }
  return {*index, *count};
}

FoundShard shard_of(const Environment& environment) {
  const auto process = launched(environment);
  const auto array = of_array(environment);
  if (!process && !array) {
    throw InputError(
        "--shard auto: found none of the variables of mpirun, srun, a Slurm array or an indexed job of "
        "Kubernetes with "
        "JOB_COMPLETIONS, expected them in the environment (or --shard I/N)");
  }
  const Part whole{0, 1, ""};
  const auto& inner = process ? *process : whole;
  const auto& outer = array ? *array : whole;
  if (inner.count > most_shards / outer.count) {
    throw InputError("--shard auto: found {} times {} processes, expected up to {}", outer.count, inner.count,
                     most_shards);
  }
  return {{outer.index * inner.count + inner.index + 1, outer.count * inner.count},
          outer.source + (process && array ? ", " : "") + inner.source};
}

}  // namespace vernier
