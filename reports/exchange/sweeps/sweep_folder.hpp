#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reports/exchange/sweeps/shard.hpp"
#include "reports/exchange/sweeps/sweep.hpp"

namespace vernier {

/// The folder that the shards of one sweep share. `sweep.json` says what is swept, by which Vernier, with
/// which C library, in how many shards; its digest is in every shard's file. Files are written whole or not
/// at all, and are on the disk before they have their names: two processes that work on one shard write the
/// same in turn.
class SweepFolder {
 public:
  /// For work on the sweep: makes the folder and its sweep.json where there is none. \throws InputError
  /// if what is there is another sweep, naming the first key that differs
  SweepFolder(std::filesystem::path folder, const Sweep& sweep, int shards);

  int shards() const { return shards_; }
  std::filesystem::path file_of(const Shard& shard) const {
    return folder_ / fmt::format("shard-{}-of-{}.json", shard.index, shard.count);
  }
  /// What is stored of a shard; nothing where no file is. \throws InputError if it is damaged or foreign
  std::optional<ShardState> read(const Shard& shard) const;
  void write(const Shard& shard, const ShardState& state) const;

 private:
  std::filesystem::path folder_;
  std::shared_ptr<const void> made_;
  int shards_;
  std::int64_t tasks_;
  std::string digest_;
};

/// Writes a file that is whole and on the disk before it has its name. \throws InputError
void write_durably(const std::filesystem::path& file, const std::string& text);

/// What sweep.json says: a plan and the number of shards.
struct StoredSweep {
  SweepPlan plan;
  int shards;
};

/// Reads what is swept in a folder. \throws InputError if there is no sweep.json or it makes no sense
StoredSweep read_stored_sweep(const std::filesystem::path& folder);

/// What a process leaves with that was asked to stop and has saved what it did: try again later
/// (EX_TEMPFAIL of sysexits.h).
inline constexpr int exit_code_of_saved_work = 75;

/// A state that is saved from time to time: at first as soon as there is something, so that a disk that takes
/// nothing is found out early, and then every twenty seconds.
class SavedShard {
 public:
  /// Goes on from what is stored. A file that is damaged or foreign is replaced. \param folder outlives this
  /// \param warn told of a file that is replaced
  SavedShard(const SweepFolder& folder, const Shard& shard,
             const std::function<void(const std::string& sentence)>& warn);

  const ShardState& state() const { return state_; }
  /// Adds what was found, and saves if it is time to.
  void add(const TaskSpan& tasks, const AuditReport& found);
  void save();

 private:
  using Clock = std::chrono::steady_clock;

  const SweepFolder& folder_;
  Shard shard_;
  ShardState state_;
  bool is_saved_ = false;
  std::optional<Clock::time_point> last_;
};

/// Does what is left of a shard. \return false if it was interrupted; what was done is saved
bool finish_shard(const Sweep& sweep, const Shard& shard, SavedShard& saved);

/// One of several sweeps, and what to call it: "llama-2-7b-hf, float32-pow, float32".
struct NamedSweepPlan {
  std::string name;
  SweepPlan plan;
};

/// One of them as sweeps.json lists it.
struct ListedSweep {
  std::string name;
  std::string folder;  ///< within that of all: a folder as of one sweep
  OrderedJson entry;   ///< all that is said of it
};

/// The list of sweeps that share a folder: makes its sweeps.json where there is none. \throws InputError if
/// what is there are other sweeps
std::vector<ListedSweep> list_sweeps(const std::filesystem::path& folder,
                                     std::span<const NamedSweepPlan> plans);

/// Reads sweeps.json; nothing where there is none, as in the folder of one sweep. \throws InputError if it
/// makes no sense
std::optional<std::vector<ListedSweep>> read_sweep_list(const std::filesystem::path& folder);

/// \throws InputError if the folder is of several sweeps, where one is meant
void require_no_list(const std::filesystem::path& folder);

/// Whether a plan is the listed one.
bool is_listed(const ListedSweep& listed, const SweepPlan& plan);

/// What stands above the result of each of several sweeps. \param index from 0
void print_name(std::size_t index, const std::string& name, std::ostream& out);

}  // namespace vernier
