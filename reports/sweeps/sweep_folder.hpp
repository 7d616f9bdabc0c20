#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "reference/json.hpp"
#include "reports/sweeps/shard_state.hpp"
#include "reports/sweeps/sweep.hpp"

namespace vernier {

inline constexpr auto sweep_file = "sweep.json";

/// What a plan says that does not depend on who works on it: spec, its digest, recipe, type, contract,
/// positions.
OrderedJson plan_json(const SweepPlan& plan);

/// What sweep.json has: the spec, the recipe and all else that the result depends on.
std::string manifest_text(const Sweep& sweep, int shards);

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
  std::filesystem::path file_of(const Shard& shard) const;
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

}  // namespace vernier
