#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/exchange/sweeps/sweep_folder.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// As a verdict that nothing, or not all, was checked for.
constexpr int exit_code_of_a_part = 4;
constexpr std::size_t most_sentences = 20;

/// What the shards of a folder hold together.
struct Merged {
  AuditReport report;
  std::int64_t tasks_done = 0;
  std::vector<std::string> faults;  ///< a sentence for each shard that is not whole
};

void merge_shard(const SweepFolder& folder, const Shard& shard, std::int64_t tasks, Merged& merged) {
  const auto file = folder.file_of(shard).string();
  const auto all = tasks_of(shard, tasks);
  if (all.count() == 0) {
    return;
  }
  try {
    const auto state = folder.read(shard);
    if (!state) {
      merged.faults.push_back(file + ": is missing");
      return;
    }
    merged.report.merge(state->report);
    merged.tasks_done += state->tasks_done();
    if (state->tasks_done() < all.count()) {
      merged.faults.push_back(fmt::format("{}: is not finished: {} of {} tasks are done", file,
                                          state->tasks_done(), all.count()));
    }
  } catch (const InputError& error) {
    merged.faults.emplace_back(error.what());
  }
}

void tell(const std::vector<std::string>& faults) {
  const auto told = std::min(faults.size(), most_sentences);
  for (std::size_t i = 0; i < told; ++i) {
    std::cerr << fmt::format("vernier: {}\n", one_line(faults[i]));
  }
  if (told < faults.size()) {
    std::cerr << "vernier: " << faults.size() - told << " more\n";
  }
}

int merge_one(const std::string& name, StoredSweep stored, std::ostream& out) {
  const Sweep sweep(std::move(stored.plan));
  const SweepFolder folder(name, sweep, stored.shards);
  Merged merged;
  for (int index = 1; index <= stored.shards; ++index) {
    merge_shard(folder, {index, stored.shards}, sweep.tasks(), merged);
  }
  if (merged.faults.empty()) {
    print_sweep(sweep, merged.report, out);
    return 0;
  }
  tell(merged.faults);
  print_partial_sweep(sweep, merged.report, merged.tasks_done, out);
  return exit_code_of_a_part;
}

/// One of the sweeps of a folder; of what is not there, or not what the list says, that is told.
int merge_listed(const std::string& name, const ListedSweep& listed, std::ostream& out) {
  try {
    auto stored = read_stored_sweep(name);
    refuse_if(!is_listed(listed, stored.plan), "{}: belongs to a different sweep than sweeps.json lists",
              name);
    return merge_one(name, std::move(stored), out);
  } catch (const InputError& error) {
    tell({error.what()});
    out << "PARTIAL: nothing of this sweep is there\n";
    return exit_code_of_a_part;
  }
}

int run_merge(const std::string& name, std::ostream& out) {
  const auto sweeps = read_sweep_list(name);
  if (!sweeps) {
    return merge_one(name, read_stored_sweep(name), out);
  }
  int code = 0;
  for (std::size_t i = 0; i < sweeps->size(); ++i) {
    const auto& listed = (*sweeps)[i];
    print_name(i, listed.name, out);
    code = std::max(code, merge_listed((std::filesystem::path(name) / listed.folder).string(), listed, out));
  }
  return code;
}

}  // namespace

Action declare_merge(ArgumentParser& command) {
  const auto& folder = command.given<std::string>("DIR");
  return [&folder](std::ostream& out) { return run_merge(folder, out); };
}

}  // namespace vernier
