#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "reports/command/command.hpp"
#include "reports/command/sweep_options.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"
#include "reports/words/program_end.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct SweepArguments {
  ArgumentParser& command;
  const SweepOptions sweep{command};
  const std::string& shard = command.given<std::string>("--shard");
};

Shard read_shard(const SweepArguments& arguments) {
  if (arguments.shard != "auto") {
    return arguments.shard.empty() ? Shard{} : parse_shard(arguments.shard);
  }
  const auto found = shard_of([](const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
  std::cerr << fmt::format("vernier: shard {} of {}, by {}\n", found.shard.index, found.shard.count,
                           found.source);
  return found.shard;
}

void print_shard(const Sweep& sweep, const Shard& shard, const SweepFolder& folder, std::ostream& out) {
  const auto [first, last] = tasks_of(shard, sweep.tasks());
  const auto& positions = sweep.plan().positions;
  out << "shard " << shard.index << " of " << shard.count << ": ";
  if (first == last) {
    out << "has no positions";
  } else {
    const auto rows = std::min(last * sweep.rows_per_task(), positions.count);
    out << "positions " << positions.at(first * sweep.rows_per_task()) << " to " << positions.at(rows - 1)
        << " are done";
  }
  out << "; " << one_line(folder.file_of(shard).string()) << "\n";
}

/// With its state in a folder. \param named what stands above a result
int run_shard(const Sweep& sweep, const Shard& shard, const std::filesystem::path& state,
              const std::function<void()>& named, std::optional<Progress>& progress, std::ostream& out) {
  const SweepFolder folder(state, sweep, shard.count);
  SavedShard saved(folder, shard, [&](const std::string& sentence) {
    progress->say(std::cerr, "vernier: " + one_line(sentence));
  });
  const auto tasks = tasks_of(shard, sweep.tasks());
  const auto left = tasks.count() - saved.state().tasks_done();
  progress->begin(fmt::format("{}, shard {} of {}", sweep.plan().recipe->id, shard.index, shard.count),
                  static_cast<std::uint64_t>(std::max<std::int64_t>(left * sweep.rows_per_task(), 1)));
  if (!finish_shard(sweep, shard, saved)) {
    progress->say(
        std::cerr,
        fmt::format("vernier: interrupted; {} of {} are saved in {}, and the same command goes on from there",
                    saved.state().tasks_done(),
                    counted(static_cast<std::uint64_t>(tasks.count()), "task", "tasks"),
                    one_line(folder.file_of(shard).string())));
    return exit_code_of_saved_work;
  }
  progress.reset();
  if (shard.count == 1) {
    named();
    print_sweep(sweep, saved.state().report, out);
  } else {
    print_shard(sweep, shard, folder, out);
  }
  return 0;
}

/// One sweep of those that the command line names. \param state where its state is kept; empty: nowhere
int run_one(SweepPlan plan, const Shard& shard, const SweepArguments& arguments,
            const std::filesystem::path& state, const std::function<void()>& named, std::ostream& out) {
  std::optional<Progress> progress(std::in_place, progress_place(arguments.sweep.work.quiet));
  const Sweep sweep(std::move(plan),
                    {.threads = arguments.sweep.work.threads, .heartbeat = [&](std::int64_t rows) {
                       stop_if_interrupted();
                       progress->advance(static_cast<std::uint64_t>(rows));
                     }});
  if (!state.empty()) {
    return run_shard(sweep, shard, state, named, progress, out);
  }
  progress->begin(std::string(sweep.plan().recipe->id),
                  static_cast<std::uint64_t>(sweep.plan().positions.count));
  const auto report = sweep.run(0, sweep.tasks());
  progress.reset();
  named();
  print_sweep(sweep, report, out);
  return 0;
}

int run_sweep(const SweepArguments& arguments, std::ostream& out) {
  const auto shard = read_shard(arguments);
  auto plans = read_sweep_plans("sweep", arguments.sweep);
  const std::filesystem::path state(arguments.sweep.state);
  if (plans.size() == 1) {
    require_no_list(state);
    return run_one(
        std::move(plans.front().plan), shard, arguments, state, [] {}, out);
  }
  const auto listed = state.empty() ? std::vector<ListedSweep>(plans.size()) : list_sweeps(state, plans);
  int code = 0;
  for (std::size_t i = 0; i < plans.size() && code == 0; ++i) {
    const auto place = state.empty() ? state : state / listed[i].folder;
    code = run_one(
        std::move(plans[i].plan), shard, arguments, place, [&] { print_name(i, plans[i].name, out); }, out);
  }
  return code;
}

}  // namespace

Action declare_sweep(ArgumentParser& command) {
  return declared(command, run_sweep);
}

}  // namespace vernier
