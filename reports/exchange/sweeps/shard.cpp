#include "reports/exchange/sweeps/shard.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "numerics/audit/audit_state.hpp"
#include "numerics/formats/sha256.hpp"
#include "reference/numbers/parsed_number.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::optional<int> whole_number(std::string_view text) {
  const auto number = parsed_number<int>(text);
  return number && *number >= 0 ? number : std::nullopt;
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
  refuse_if(!number, "--shard auto: {}: found {}, expected a number from 0", name,
            text ? "\"" + one_line(*text) + "\"" : "nothing");
  return *number;
}

Part checked(Part part) {
  refuse_if(part.index >= part.count, "--shard auto: found {}, expected a number below the count",
            part.source);
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
  refuse_if(
      count < 1 || step < 1 || least + step * (count - 1) != greatest || id < least ||
          (id - least) % step != 0,
      "--shard auto: found task {} of an array of {} from {} to {}, expected evenly spaced numbers as of "
      "--array=0-63; "
      "--shard I/N repeats single shards",
      id, count, least, greatest);
  return checked({(id - least) / step, count,
                  fmt::format("SLURM_ARRAY_TASK_ID {} of SLURM_ARRAY_TASK_COUNT {}", id, count)});
}

constexpr std::int64_t state_version = 1;
constexpr std::string_view before_digest = "{\"sha256\":\"";
constexpr std::string_view before_content = "\",\"content\":";
constexpr std::string_view after_content = "}\n";
constexpr std::size_t digest_digits = 64;

/// What the digest is of. \throws InputError if it is another one's
std::string_view intact_content(std::string_view text, const std::string& source) {
  constexpr auto head = before_digest.size() + digest_digits + before_content.size();
  const bool whole = text.starts_with(before_digest) && text.size() > head + after_content.size() &&
                     text.ends_with(after_content);
  const auto content = whole ? text.substr(head, text.size() - head - after_content.size()) : "";
  refuse_if(!whole || text.substr(before_digest.size(), digest_digits) != sha256(content),
            "{}: is damaged: its content does not have the SHA-256 digest that it begins with", source);
  return content;
}

std::vector<TaskSpan> read_done(ObjectReader& reader, const TaskSpan& all) {
  std::vector<TaskSpan> done;
  auto least = all.first;
  for (auto& span : reader.objects("done", "an array of objects")) {
    const auto first = span.integer("first", least, all.last - 1);
    const auto last = span.integer("last", first + 1, all.last);
    span.finish();
    done.push_back({first, last});
    least = last + 1;
  }
  return done;
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  const auto index = whole_number(text.substr(0, slash));
  const auto count = whole_number(slash == text.npos ? std::string_view() : text.substr(slash + 1));
  refuse_if(!index || !count || *index < 1 || *index > *count || *count > most_shards,
            "--shard: found \"{}\", expected I/N with I from 1 to N and N up to {}, or auto", one_line(text),
            most_shards);
  return {*index, *count};
}

FoundShard shard_of(const Environment& environment) {
  const auto process = launched(environment);
  const auto array = of_array(environment);
  refuse_if(!process && !array,
            "--shard auto: found none of the variables of mpirun, srun, a Slurm array or an indexed job of "
            "Kubernetes with "
            "JOB_COMPLETIONS, expected them in the environment (or --shard I/N)");
  const Part whole{0, 1, ""};
  const auto& inner = process ? *process : whole;
  const auto& outer = array ? *array : whole;
  refuse_if(inner.count > most_shards / outer.count,
            "--shard auto: found {} times {} processes, expected up to {}", outer.count, inner.count,
            most_shards);
  return {{outer.index * inner.count + inner.index + 1, outer.count * inner.count},
          outer.source + (process && array ? ", " : "") + inner.source};
}

TaskSpan tasks_of(const Shard& shard, std::int64_t tasks) {
  // Below 2^31 rows and 2^20 shards.
  return {tasks * (shard.index - 1) / shard.count, tasks * shard.index / shard.count};
}

void ShardState::add(const TaskSpan& tasks, const AuditReport& found) {
  report.merge(found);
  report.bands.clear();
  const auto after = std::ranges::find_if(done, [&](const auto& one) { return one.first >= tasks.last; });
  const auto added = done.insert(after, tasks);
  // Joined with its neighbours.
  if (const auto next = added + 1; next != done.end() && next->first == added->last) {
    added->last = next->last;
    done.erase(next);
  }
  if (added != done.begin() && (added - 1)->last == added->first) {
    (added - 1)->last = added->last;
    done.erase(added);
  }
}

std::int64_t ShardState::tasks_done() const {
  return sum_of(done, &TaskSpan::count);
}

std::vector<TaskSpan> ShardState::left(const TaskSpan& all) const {
  std::vector<TaskSpan> result;
  auto first = all.first;
  for (const auto& span : done) {
    if (first < span.first) {
      result.push_back({first, span.first});
    }
    first = span.last;
  }
  if (first < all.last) {
    result.push_back({first, all.last});
  }
  return result;
}

std::string shard_text(const Shard& shard, const ShardState& state, std::string_view sweep) {
  const auto done = array_json(state.done, [](const TaskSpan& span) -> OrderedJson {
    return {{"first", span.first}, {"last", span.last}};
  });
  const OrderedJson content{{"vernier_shard", state_version},
                            {"sweep", sweep},
                            {"shard", shard.index},
                            {"of", shard.count},
                            {"done", done},
                            {"found", audit_state(state.report)}};
  const auto text = content.dump();
  return fmt::format("{}{}{}{}{}", before_digest, sha256(text), before_content, text, after_content);
}

ShardState read_shard_text(std::string_view text, const std::string& source, const Shard& shard,
                           std::string_view sweep, std::int64_t tasks) {
  const auto document = parse_json(intact_content(text, source), source);
  ObjectReader reader(document, source, "");
  reader.integer("vernier_shard", state_version, state_version);
  refuse_if(reader.string("sweep") != sweep,
            "{}: belongs to a different sweep: its digest is not that of sweep.json", source);
  reader.integer("shard", shard.index, shard.index);
  reader.integer("of", shard.count, shard.count);
  ShardState state;
  state.done = read_done(reader, tasks_of(shard, tasks));
  state.report = read_audit_state(reader.object("found"));
  reader.finish();
  return state;
}

}  // namespace vernier
